// RobotSurvey: asks one file for many robots.
#include <map>
#include <utility>

#include <robotrules/compare.hpp>

#include "base/visibility.hpp"
#include "core/compare/audience.hpp"
#include "core/compare/examples.hpp"

namespace robotrules {

std::string_view to_string(Reach reach) noexcept {
  switch (reach) {
    case Reach::everywhere: return "everywhere";
    case Reach::partly: return "partly";
    case Reach::nowhere: break;
  }
  return "nowhere";
}

struct ROBOTRULES_HIDDEN RobotSurvey::State {
  explicit State(const RobotsTxt& robots) : file(robots), finder(file), examples(finder.patterns()) {}

  Reach try_paths(std::string_view agent, const std::vector<std::uint32_t>& groups);

  RobotsTxt file;
  core::GroupFinder finder;
  core::Examples examples;
  std::map<std::vector<std::uint32_t>, Reach> known;  // by the groups that apply
  std::size_t cost = 0;                               // of all questions
};

Reach RobotSurvey::State::try_paths(std::string_view agent, const std::vector<std::uint32_t>& groups) {
  const Rules rules = file.rules_for(agent);
  const core::RuleList list = core::rules_of(finder, groups);
  const std::size_t cost_of_path = core::cost_of(list);
  // A path that no rule matches comes first: this path and one rule often suffice.
  const bool rest = rules.check("/" + examples.filler().behind("/")).allowed();
  bool some = rest;
  bool all = rest;
  for (const std::string* path : examples.of(list, {})) {
    if (path->starts_with("/robots.txt")) continue;  // a robot that may fetch nothing else reaches nothing
    cost += cost_of_path;
    if (cost > core::max_cost || (some && !all)) break;
    const bool allowed = rules.check(*path).allowed();
    some = some || allowed;
    all = all && allowed;
  }
  if (all) return Reach::everywhere;
  return some ? Reach::partly : Reach::nowhere;
}

RobotSurvey::RobotSurvey(const RobotsTxt& file) : state_(std::make_unique<State>(file)) {}
RobotSurvey::RobotSurvey(RobotSurvey&&) noexcept = default;
RobotSurvey& RobotSurvey::operator=(RobotSurvey&&) noexcept = default;
RobotSurvey::~RobotSurvey() = default;

AppliedGroups RobotSurvey::groups_for(std::string_view agent) const { return state_->finder.find(agent).applied; }

Reach RobotSurvey::reach_of(std::string_view agent) {
  std::vector<std::uint32_t> groups = groups_for(agent).groups;
  if (const auto known = state_->known.find(groups); known != state_->known.end()) return known->second;
  const Reach reach = state_->try_paths(agent, groups);
  state_->known.emplace(std::move(groups), reach);
  return reach;
}

bool RobotSurvey::complete() const noexcept { return !state_->examples.cut() && state_->cost <= core::max_cost; }

}  // namespace robotrules
