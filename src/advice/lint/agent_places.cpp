// The neighbours of a User-agent line decide how it can be deleted without harm. Other lines may name the same robot.
#include <algorithm>
#include <functional>
#include <string>

#include <robotrules/rules.hpp>

#include "advice/lint/checks.hpp"
#include "advice/lint/groups.hpp"
#include "base/ascii.hpp"

namespace robotrules::advice {

AgentPlaces::AgentPlaces(std::span<const Group> groups, const FileLines& lines) : groups_(groups), lines_(lines) {
  for (const Group& group : groups) {
    for (const Directive& agent : group.agents) named_[agent_key(agent.value)].push_back(&agent);
  }
}

const Group& AgentPlaces::group_of(const Directive& agent) const {
  return groups_[static_cast<std::size_t>(agent.group)];
}

bool AgentPlaces::same_block(const Directive& a, const Directive& b) const {
  if (a.group != b.group || a.run_line != b.run_line) return false;
  const auto [first, last] = std::minmax(a.line, b.line);
  return !lines_.blank_between(first, last) && first_between(group_of(a).other, first, last) == nullptr;
}

// Returns true if the robots of the line's block have another line with a good name. Only the nearest such lines of its
// run can be in the block.
bool AgentPlaces::keeps_name(const Directive& agent) const {
  const std::span<const Directive> run = group_of(agent).agents_of(agent);
  const auto [known, is_new] = good_names_.try_emplace({agent.group, agent.run_line});
  std::vector<const Directive*>& good = known->second;
  if (is_new) {
    for (const Directive& line : run) {
      if (line.value == "*" || is_robot_name(line.value)) good.push_back(&line);
    }
  }
  const auto next = std::ranges::upper_bound(good, agent.line, {}, &Directive::line);
  if (next != good.end() && same_block(agent, **next)) return true;
  const auto own = std::ranges::lower_bound(good.begin(), next, agent.line, {}, &Directive::line);
  return own != good.begin() && same_block(agent, **(own - 1));
}

std::string AgentPlaces::deletion(const Directive& agent) const {
  const Group& group = group_of(agent);
  if (keeps_name(agent)) return "delete this line; the group keeps its other names";
  if (group.agents.size() > 1) return {};  // the rules below would pass to names above, or be lost for old robots
  const std::vector<const Directive*> members = members_of(group);
  if (members.empty()) return "delete the line";
  const std::uint32_t last = members.back()->line;
  const bool others = std::any_of(group.other.begin(), group.other.end(),
                                  [&](const Directive& line) { return !is_for_group(line.kind) && line.line < last; });
  std::string text = "delete the group: this line and its rules";
  if (!others) text += filled({" (lines {}-{})", {agent.line, last}});
  return text;
}

std::size_t AgentPlaces::hash_of(const Group& group) {
  const auto [known, fresh] = hashes_.try_emplace(&group);
  if (fresh) known->second = hash_of_members(group);
  return known->second;
}

const Directive* AgentPlaces::equal(const Directive& agent, std::string_view name) {
  const auto named = named_.find(base::lower_case(name));
  if (named == named_.end()) return nullptr;
  constexpr std::size_t max_named = 20;
  const std::vector<const Directive*>& lines = named->second;
  const bool all_equal = lines.size() <= max_named && std::all_of(lines.begin(), lines.end(), [&](const auto* other) {
                           return other->group == agent.group ? same_block(agent, *other)
                                                              : hash_of(group_of(*other)) == hash_of(group_of(agent));
                         });
  return all_equal ? lines.front() : nullptr;
}

}  // namespace robotrules::advice
