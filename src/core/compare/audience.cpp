#include "core/compare/audience.hpp"

#include <algorithm>

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
  dialect_.file_limit = 0;  // the probe file may be longer than the file
  const auto end_run = [this](std::uint32_t group) {
    runs_.push_back({group, "/" + std::to_string(runs_.size()) + "/"});
    probe_file_.append("Disallow: ").append(runs_.back().path).append("\n\n");
  };
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    const std::vector<Directive>& agents = groups_[i].agents;
    for (std::size_t j = 0; j < agents.size(); ++j) {
      if (j > 0 && agents[j].run_line != agents[j - 1].run_line) end_run(i);
      probe_file_.append("User-agent: ").append(agents[j].value).append("\n");
    }
    end_run(i);
  }
}

GroupFinder::Found GroupFinder::find(std::string_view agent) const {
  return find_runs(Rules::compile(probe_file_, agent, dialect_));
}

GroupFinder::Found GroupFinder::find(const AgentTokens& agent) const {
  return find_runs(Rules::compile(probe_file_, agent, dialect_));
}

GroupFinder::Found GroupFinder::find_runs(const Rules& rules) const {
  Found found;
  for (std::uint32_t i = 0; i < runs_.size() && found.runs.size() < rules.size(); ++i) {
    const Verdict verdict = rules.check(runs_[i].path);
    if (verdict.allowed()) continue;
    if (found.runs.empty()) {
      const GroupLine group = verdict.group();
      found.applied.agent = group.agent;
      found.applied.is_default = group.is_default;
    }
    found.runs.push_back(i);
  }
  found.applied.groups = groups_of(found.runs);
  if (!found.applied.groups.empty()) found.applied.line = groups_[found.applied.groups.front()].line;
  return found;
}

std::vector<std::uint32_t> GroupFinder::groups_of(const std::vector<std::uint32_t>& runs) const {
  std::vector<std::uint32_t> groups;
  for (const std::uint32_t run : runs) {
    if (groups.empty() || groups.back() != runs_[run].group) groups.push_back(runs_[run].group);
  }
  return groups;
}

std::vector<std::string_view> GroupFinder::patterns() const {
  std::vector<std::string_view> patterns;
  for (const Group& group : groups_) {
    for (const Directive& rule : group.rules) patterns.push_back(rule.value);
  }
  return patterns;
}

std::vector<std::string> named_robots(const std::vector<Group>& groups, const Dialect& dialect,
                                      const std::vector<std::string>& known) {
  std::set<std::string, std::less<>> seen;
  for (const std::string& name : known) seen.insert(base::lower_case(name));
  std::vector<std::string> names;
  for (const Group& group : groups) {
    for (const Directive& agent : group.agents) {
      std::string_view name = agent.value.substr(0, agent.value.find_first_of("/(;"));
      if (dialect.agent_match == Dialect::AgentMatch::product_token) name = leading_product_token(name);
      std::string robot(compared_name(name, dialect));
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

namespace robotrules {

std::string_view compared_name(std::string_view name, const Dialect& dialect) noexcept {
  return core::names_are_tokens(dialect) ? name.substr(0, name.find_first_of(" \t")) : name;
}

}  // namespace robotrules
