#include <algorithm>
#include <utility>

#include "advice/lint/checks.hpp"
#include "advice/lint/groups.hpp"
#include "advice/lint/lint_names.hpp"
#include "core/percent.hpp"

namespace robotrules::advice {

std::optional<Pattern> pattern_of(const Directive& rule, const Dialect& dialect) {
  if (rule.value.empty() || find_joined_directive(rule.value) != std::string_view::npos) return {};
  if (rule.value.front() != '/' && !(dialect.wildcards && rule.value.front() == '*')) return {};
  return make_pattern(core::normalised_pattern(rule.value, dialect), dialect.wildcards,
                      dialect.dollar != Dialect::Dollar::literal);
}

RuleCoverage::RuleCoverage(std::span<const Group> groups, const Dialect& dialect) : dialect_(dialect) {
  std::map<std::string, const Group*> first;
  for (const Group& group : groups) {
    for (const Directive& agent : group.agents) {
      std::string key = agent_key(agent.value);
      if (first.try_emplace(key, &group).first->second != &group) repeated_.insert(std::move(key));
    }
  }
}

const RuleCoverage::GroupRules& RuleCoverage::rules_of(const Group& group) {
  const auto [known, fresh] = groups_.try_emplace(&group);
  if (fresh) {
    for (const Directive& rule : group.rules) {
      if (auto pattern = pattern_of(rule, dialect_)) known->second.rules.push_back({&rule, std::move(*pattern)});
    }
    known->second.is_alone = std::none_of(group.agents.begin(), group.agents.end(), [&](const Directive& agent) {
      return repeated_.contains(agent_key(agent.value));
    });
  }
  return known->second;
}

const Directive* RuleCoverage::find(const Group& group, const LintLine& rule, std::string_view path) {
  const DirectiveKind kind = rule.lexed.kind;
  if (dialect_.precedence != Dialect::Precedence::longest) return nullptr;
  const Pattern pattern = make_pattern(core::normalised_pattern(path, dialect_), dialect_.wildcards,
                                       dialect_.dollar != Dialect::Dollar::literal);
  const GroupRules& known = rules_of(group);
  const std::vector<Rule>& rules = known.rules;
  if (!budget_.take(rules.size())) return nullptr;
  for (const Rule& same : rules) {
    if (same.line->line != rule.number && same.line->kind == kind && same.pattern.text == pattern.text)
      return same.line;
  }
  // A wider rule decides in its place, unless a rule with the opposite effect and a length between the two may decide.
  if (!known.is_alone || (dialect_.index_html && kind == DirectiveKind::allow)) return nullptr;
  for (const Rule& wide : rules) {
    if (wide.line->kind != kind || wide.line->line == rule.number || !covers(wide.pattern, pattern, budget_)) continue;
    if (!budget_.take(rules.size())) return nullptr;
    const auto [min, max] = std::minmax({wide.pattern.text.size(), pattern.text.size()});
    const bool contested = std::any_of(rules.begin(), rules.end(), [&](const Rule& other) {
      const std::size_t weight = other.pattern.text.size();
      return other.line->kind != kind && weight >= min && weight <= max && may_meet(other.pattern, pattern);
    });
    if (!contested) return wide.line;
  }
  return nullptr;
}

RuleContext::RuleContext(std::span<const Group> groups, const Dialect& dialect, const OwnHosts& site)
    : groups_(groups),
      dialect_(dialect),
      site_(site),
      coverage_(groups, dialect),
      any_star_(std::ranges::any_of(groups, names_star)) {}

const Group* RuleContext::group_of(const LintLine& rule) const noexcept {
  return rule.group < 0 ? nullptr : &groups_[static_cast<std::size_t>(rule.group)];
}

const GroupFacts& RuleContext::facts_of(const Group& group) {
  const auto [known, is_new] = facts_.try_emplace(&group);
  GroupFacts& facts = known->second;
  if (!is_new) return facts;
  facts.names_star = names_star(group);
  facts.names = names_of(group);
  facts.open = whole_rule(group, DirectiveKind::allow);
  for (const Directive& rule : group.rules) {
    if (rule.kind != DirectiveKind::disallow) continue;
    if (rule.value.empty()) {
      if (facts.open == nullptr) facts.open = &rule;
      continue;
    }
    const std::size_t weight = core::normalised_pattern(rule.value, dialect_).size();
    facts.shortest = facts.ever_longer.empty() ? weight : std::min(facts.shortest, weight);
    if (facts.ever_longer.empty() || weight > facts.ever_longer.back().weight) {
      facts.ever_longer.push_back({weight, &rule});
    }
  }
  return facts;
}

const Directive* RuleContext::covering(const LintLine& rule, std::string_view repaired) {
  const Group* const group = group_of(rule);
  if (group == nullptr || repaired.empty() || !rule.is_rule()) return nullptr;
  const std::string_view value = rule.lexed.value;
  const bool matches = value.starts_with('/') || value.starts_with('*');
  if (matches && coverage_.find(*group, rule, value) == nullptr) return nullptr;
  return coverage_.find(*group, rule, repaired);
}

std::string delete_beside(const Directive& rule) {
  return filled({"Delete the line: {} in line {} already does this.",
                 {quote(std::string(to_string(rule.kind)) + ": " + std::string(rule.value)), rule.line}});
}

}  // namespace robotrules::advice
