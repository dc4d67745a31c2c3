// RobotSurvey: asks one file for many robots.
#include <map>
#include <utility>

#include <robotrules/compare.hpp>

#include "advice/compare/audience.hpp"
#include "advice/compare/examples.hpp"
#include "base/visibility.hpp"

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

  Reach try_paths(const Rules& rules, const std::vector<std::uint32_t>& groups);

  // `agent`: a name or AgentTokens.
  Reach reach_of(const auto& agent) {
    std::vector<std::uint32_t> groups = finder.find(agent).applied.groups;
    if (const auto found = known.find(groups); found != known.end()) return found->second;
    const Reach reach = try_paths(file.rules_for(agent), groups);
    known.emplace(std::move(groups), reach);
    return reach;
  }

  RobotsTxt file;
  advice::GroupFinder finder;
  advice::Examples examples;
  std::map<std::vector<std::uint32_t>, Reach> known;  // by the groups that apply
  std::size_t cost = 0;                               // of all questions
};

Reach RobotSurvey::State::try_paths(const Rules& rules, const std::vector<std::uint32_t>& groups) {
  const advice::RuleList list = advice::rules_of(finder, groups);
  const std::size_t cost_of_path = advice::cost_of(list);
  // A path that no rule matches comes first: this path and one rule often suffice.
  const bool rest = rules.check("/" + examples.filler().behind("/")).allowed();
  bool some = rest;
  bool all = rest;
  for (const std::string* path : examples.of({list, {}}).changed) {
    if (path->starts_with("/robots.txt")) continue;  // a robot that may fetch nothing else reaches nothing
    cost += cost_of_path;
    if (cost > advice::max_cost || (some && !all)) break;
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
AppliedGroups RobotSurvey::groups_for(const AgentTokens& agent) const { return state_->finder.find(agent).applied; }

Reach RobotSurvey::reach_of(std::string_view agent) { return state_->reach_of(agent); }
Reach RobotSurvey::reach_of(const AgentTokens& agent) { return state_->reach_of(agent); }

bool RobotSurvey::complete() const noexcept { return !state_->examples.cut() && state_->cost <= advice::max_cost; }

}  // namespace robotrules
