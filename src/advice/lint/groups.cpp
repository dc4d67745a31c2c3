#include "advice/lint/groups.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "advice/lint/findings.hpp"
#include "advice/lint/repairs.hpp"
#include "base/ascii.hpp"
#include "base/sort.hpp"

namespace robotrules::advice {

std::string agent_key(std::string_view value) {
  const auto end = std::find_if(value.begin(), value.end(), [](char c) { return base::is_space(c) || c == '/'; });
  return base::lower_case(value.substr(0, static_cast<std::size_t>(end - value.begin())));
}

bool names_star(const Group& group) {
  return std::any_of(group.agents.begin(), group.agents.end(), [](auto& agent) { return agent.value == "*"; });
}

std::string names_of(const Group& group) {
  std::vector<std::string_view> agents;
  std::set<std::string, std::less<>> seen;
  for (const Directive& agent : group.agents) {
    if (seen.insert(agent_key(agent.value)).second) agents.push_back(agent.value);
  }
  constexpr std::size_t max_shown = 3;
  const std::size_t shown = std::min(max_shown, agents.size());
  std::string names;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i > 0 && i + 1 == agents.size();
    names += filled({"{}{}", {i == 0 ? "" : last ? " and " : ", ", quote(agents[i])}});
  }
  if (agents.size() > shown) names += filled({" and {} more", {agents.size() - shown}});
  return names;
}

bool is_for_group(DirectiveKind kind) noexcept {
  switch (kind) {
    case DirectiveKind::sitemap:
    case DirectiveKind::host:
    case DirectiveKind::clean_param:
    case DirectiveKind::user_agent:
    case DirectiveKind::other: return false;
    default: return true;
  }
}

std::vector<const Directive*> members_of(const Group& group) {
  std::vector<const Directive*> members;
  for (const Directive& rule : group.rules) members.push_back(&rule);
  for (const Directive& other : group.other) {
    if (is_for_group(other.kind)) members.push_back(&other);
  }
  base::sort(members, [](auto* a, auto* b) { return a->line < b->line; });
  return members;
}

const Directive* first_between(const std::vector<Directive>& directives, std::uint32_t first, std::uint32_t second) {
  const auto next = std::ranges::upper_bound(directives, first, {}, &Directive::line);
  return next != directives.end() && next->line < second ? &*next : nullptr;
}

std::size_t hash_of_members(const Group& group) {
  std::string text;
  for (const Directive* member : members_of(group)) {
    text += std::to_string(static_cast<int>(member->kind)) + std::string(member->value) + '\n';
  }
  return std::hash<std::string>()(text);
}

bool closes(const Directive& rule) { return rule.kind == DirectiveKind::disallow && !rule.value.empty(); }

const Directive* whole_rule(const Group& group, DirectiveKind kind) {
  const auto found = std::find_if(group.rules.begin(), group.rules.end(), [&](const Directive& rule) {
    return rule.kind == kind && matches_everything(rule.value);
  });
  return found == group.rules.end() ? nullptr : &*found;
}

std::string_view delete_line(const Group* group) noexcept {
  return group == nullptr || group->rules.size() > 1 ? "delete the line" : "write \"Disallow:\" in its place";
}

std::string in_line(std::uint32_t line) { return filled({"line {}", {line}}); }

}  // namespace robotrules::advice
