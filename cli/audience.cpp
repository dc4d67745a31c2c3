#include "cli/audience.hpp"

#include <algorithm>
#include <unordered_set>

#include <robotrules/agent_name.hpp>

#include "cli/witness.hpp"

namespace robotrules::cli {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

bool names_are_tokens(const Dialect& dialect) noexcept {
  return dialect.agent_match == Dialect::AgentMatch::product_token ||
         dialect.agent_match == Dialect::AgentMatch::product_token_whole;
}

}  // namespace

GroupFinder::GroupFinder(const RobotsTxt& file) : groups_(file.groups()), dialect_(file.dialect()) {
  dialect_.file_limit = 0;  // the telling rules take room of their own
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    for (const Directive& agent : groups_[i].agents) {
      probes_.append("User-agent: ").append(agent.value).append("\n");
    }
    paths_.push_back("/" + std::to_string(i) + "/");
    probes_.append("Disallow: ").append(paths_.back()).append("\n\n");
  }
}

GroupFinder::Held GroupFinder::held_for(std::string_view agent) const {
  Held held;
  const Rules rules = Rules::compile(probes_, agent, dialect_);
  for (std::size_t i = 0; i < paths_.size() && held.groups.size() < rules.size(); ++i) {
    const Verdict verdict = rules.check(paths_[i]);
    if (verdict.allowed()) continue;
    if (held.groups.empty()) {
      held.agent = verdict.group().agent;
      held.is_default = verdict.group().is_default;
    }
    held.groups.push_back(static_cast<std::uint32_t>(i));
  }
  return held;
}

std::string asking_name(std::string_view name, const Dialect& dialect) {
  if (!names_are_tokens(dialect)) return std::string(name);
  return std::string(name.substr(0, name.find_first_of(" \t")));
}

std::vector<std::string> named_robots(const std::vector<Group>& groups, const Dialect& dialect,
                                      const std::vector<std::string>& known) {
  std::unordered_set<std::string> seen;
  for (const std::string& name : known) seen.insert(lower(name));
  std::vector<std::string> names;
  for (const Group& group : groups) {
    for (const Directive& agent : group.agents) {
      std::string_view name = agent.value.substr(0, agent.value.find_first_of("/(;"));
      if (dialect.agent_match == Dialect::AgentMatch::product_token) name = leading_product_token(name);
      std::string robot = asking_name(name, dialect);
      std::erase(robot, '*');
      while (robot.ends_with(' ') || robot.ends_with('\t')) robot.pop_back();
      if (!robot.empty() && seen.insert(lower(robot)).second) names.push_back(std::move(robot));
    }
  }
  return names;
}

std::string unnamed_robot(const std::vector<const std::vector<Group>*>& files) {
  std::vector<std::string> values;
  for (const std::vector<Group>* groups : files) {
    for (const Group& group : *groups) {
      for (const Directive& agent : group.agents) values.push_back(lower(agent.value));
    }
  }
  return Filler({values.begin(), values.end()}).word();
}

}  // namespace robotrules::cli
