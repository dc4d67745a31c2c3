#include "core/compare/audience.hpp"

#include <algorithm>
#include <unordered_set>

#include <robotrules/agent_name.hpp>

#include "base/ascii.hpp"
#include "core/compare/witness.hpp"

namespace robotrules::core {
namespace {

bool names_are_tokens(const Dialect& dialect) noexcept {
  return dialect.agent_match == Dialect::AgentMatch::product_token ||
         dialect.agent_match == Dialect::AgentMatch::product_token_whole;
}

}  // namespace

GroupFinder::GroupFinder(const RobotsTxt& file) : groups_(file.groups()), dialect_(file.dialect()) {
  dialect_.file_limit = 0;  // the telling rules take room of their own
  const auto tell = [this](std::uint32_t group) {
    runs_.push_back({group, "/" + std::to_string(runs_.size()) + "/"});
    probes_.append("Disallow: ").append(runs_.back().path).append("\n\n");
  };
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    const std::vector<Directive>& agents = groups_[i].agents;
    for (std::size_t j = 0; j < agents.size(); ++j) {
      if (j > 0 && agents[j].run_line != agents[j - 1].run_line) tell(i);
      probes_.append("User-agent: ").append(agents[j].value).append("\n");
    }
    tell(i);
  }
}

GroupFinder::Held GroupFinder::held_for(std::string_view agent) const {
  Held held;
  const Rules rules = Rules::compile(probes_, agent, dialect_);
  for (std::uint32_t i = 0; i < runs_.size() && held.runs.size() < rules.size(); ++i) {
    const Verdict verdict = rules.check(runs_[i].path);
    if (verdict.allowed()) continue;
    if (held.runs.empty()) {
      held.agent = verdict.group().agent;
      held.is_default = verdict.group().is_default;
    }
    held.runs.push_back(i);
  }
  held.groups = groups_of(held.runs);
  return held;
}

std::vector<std::uint32_t> GroupFinder::groups_of(const std::vector<std::uint32_t>& runs) const {
  std::vector<std::uint32_t> groups;
  for (const std::uint32_t run : runs) {
    if (groups.empty() || groups.back() != runs_[run].group) groups.push_back(runs_[run].group);
  }
  return groups;
}

std::string asking_name(std::string_view name, const Dialect& dialect) {
  if (!names_are_tokens(dialect)) return std::string(name);
  return std::string(name.substr(0, name.find_first_of(" \t")));
}

std::vector<std::string> named_robots(const std::vector<Group>& groups, const Dialect& dialect,
                                      const std::vector<std::string>& known) {
  std::unordered_set<std::string> seen;
  for (const std::string& name : known) seen.insert(base::lower_case(name));
  std::vector<std::string> names;
  for (const Group& group : groups) {
    for (const Directive& agent : group.agents) {
      std::string_view name = agent.value.substr(0, agent.value.find_first_of("/(;"));
      if (dialect.agent_match == Dialect::AgentMatch::product_token) name = leading_product_token(name);
      std::string robot = asking_name(name, dialect);
      std::erase(robot, '*');
      while (robot.ends_with(' ') || robot.ends_with('\t')) robot.pop_back();
      if (!robot.empty() && seen.insert(base::lower_case(robot)).second) names.push_back(std::move(robot));
    }
  }
  return names;
}

std::string unnamed_robot(const std::vector<const std::vector<Group>*>& files) {
  std::vector<std::string> values;
  for (const std::vector<Group>* groups : files) {
    for (const Group& group : *groups) {
      for (const Directive& agent : group.agents) values.push_back(base::lower_case(agent.value));
    }
  }
  return Filler({values.begin(), values.end()}).word();
}

}  // namespace robotrules::core
