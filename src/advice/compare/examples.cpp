#include "advice/compare/examples.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "advice/compare/settle.hpp"
#include "base/sort.hpp"

namespace robotrules::advice {

RuleList rules_of(const GroupFinder& file, const std::vector<std::uint32_t>& groups) {
  RuleList rules;
  for (const std::uint32_t index : groups) {
    for (const Directive& rule : file.groups()[index].rules) {
      rules.push_back({rule.kind == DirectiveKind::allow, rule.value});
    }
  }
  return rules;
}

// Literal rules have an index. A rule with a wildcard is matched by itself: it is excluded at once if it begins
// otherwise than the path, but a rule that begins with only a few bytes is often matched in full.
std::size_t cost_of(const RuleList& rules) {
  std::size_t cost = 32;
  for (const PlainRule& rule : rules) {
    if (rule.pattern.find('*') == std::string_view::npos) continue;
    cost += literal_head(rule.pattern).size() >= 4 ? 1 : rule.pattern.size();
  }
  return cost / 32;
}

namespace {

RuleList sorted(RuleList rules) {
  if (!std::ranges::is_sorted(rules)) base::sort(rules);
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return rules;
}

// A rule without a value is the weakest one and forbids nothing, so it changes no answer.
RuleParts parted_sets(const RuleList& before, const RuleList& after, const Dialect& dialect, StepBudget& budget) {
  const RuleList old_rules = sorted(before);
  const RuleList new_rules = sorted(after);
  const auto only_in = [](const RuleList& list, const RuleList& other) {
    RuleList rules;
    std::ranges::set_difference(list, other, std::back_inserter(rules));
    std::erase_if(rules, [](const PlainRule& rule) { return rule.pattern.empty(); });
    return rules;
  };
  RuleList removed = only_in(old_rules, new_rules);
  RuleList added = only_in(new_rules, old_rules);
  RuleParts parts;
  std::ranges::set_intersection(old_rules, new_rules, std::back_inserter(parts.common));
  settle(removed, added, parts.common, dialect, budget);
  std::ranges::merge(removed, added, std::back_inserter(parts.changed));
  return parts;
}

// The order of rules counts: only those at the beginning and at the end of both lists are common.
RuleParts parted_sequences(const RuleList& before, const RuleList& after) {
  const auto [old_begin, new_begin] = std::ranges::mismatch(before, after);
  auto old_end = before.end();
  auto new_end = after.end();
  while (old_end != old_begin && new_end != new_begin && *(old_end - 1) == *(new_end - 1)) {
    --old_end;
    --new_end;
  }
  RuleParts parts{{old_begin, old_end}, {before.begin(), old_begin}};
  parts.changed.insert(parts.changed.end(), new_begin, new_end);
  parts.common.insert(parts.common.end(), old_end, before.end());
  return {sorted(std::move(parts.changed)), sorted(std::move(parts.common))};
}

bool has_star(std::string_view pattern) noexcept { return pattern.find('*') != std::string_view::npos; }

bool is_plain(std::string_view pattern) noexcept {
  return std::ranges::none_of(pattern, [](char c) { return c == '%' || static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

RuleList prepared(RuleList rules, const Dialect& dialect) {
  return dialect.precedence == Dialect::Precedence::longest ? sorted(std::move(rules)) : rules;
}

RuleParts parted(const RuleList& before, const RuleList& after, const Dialect& dialect, StepBudget& budget) {
  return dialect.precedence == Dialect::Precedence::longest ? parted_sets(before, after, dialect, budget)
                                                            : parted_sequences(before, after);
}

Rules compiled(const RuleList& rules, Dialect dialect, std::string_view robots_url) {
  dialect.file_limit = 0;
  dialect.line_limit = 0;
  std::string text = "User-agent: *\n";
  for (const PlainRule& rule : rules) {
    // Without a space, because a value may begin with "#" where a comment needs a space before it.
    text.append(rule.allow ? "Allow:" : "Disallow:").append(rule.pattern).append("\n");
  }
  return Rules::compile(text, "a", dialect, robots_url);
}

Examples::Path Examples::keep(std::string path) {
  if (const auto known = numbers_.find(path); known != numbers_.end()) return known->second;
  const auto number = static_cast<Path>(paths_.size());
  numbers_.emplace(paths_.emplace_back(std::move(path)), number);
  taken_by_.push_back(0);
  return number;
}

const std::vector<Examples::Path>& Examples::examples(std::string_view pattern) {
  const auto [found, is_new] = by_pattern_.try_emplace(pattern);
  if (is_new) {
    some_.clear();
    append_examples(some_, pattern, filler_);
    for (std::string& path : some_) found->second.push_back(keep(std::move(path)));
  }
  return found->second;
}

void Examples::add(Path path) {
  if (taken_by_[path] == call_) return;
  taken_by_[path] = call_;
  taken_.push_back(&paths_[path]);
}

Examples::Paths Examples::of(const RuleParts& rules) {
  ++call_;
  taken_.clear();
  for (const PlainRule& rule : rules.changed) {
    for (const Path path : examples(rule.pattern)) add(path);
  }
  add(keep("/"));
  add(keep("/" + filler_.behind("/")));
  add_overlaps(rules);
  Paths paths{std::move(taken_), {}};
  taken_.clear();
  std::vector<std::string_view> changed;
  for (const PlainRule& rule : rules.changed) changed.push_back(rule.pattern);
  const Heads heads(changed);
  for (const PlainRule& rule : rules.common) {
    if (!heads.may_meet(rule.pattern)) continue;
    for (const Path path : examples(rule.pattern)) add(path);
  }
  paths.common = std::move(taken_);
  return paths;
}

void Examples::add_overlaps(const RuleParts& parts) {
  RuleList rules = parts.changed;
  rules.insert(rules.end(), parts.common.begin(), parts.common.end());
  // Indexes of the rules that disallow [0] and allow [1]: all of them, and those with a wildcard.
  std::array<std::vector<std::size_t>, 2> all;
  std::array<std::vector<std::size_t>, 2> stars;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    all[rules[i].allow ? 1 : 0].push_back(i);
    if (has_star(rules[i].pattern)) stars[rules[i].allow ? 1 : 0].push_back(i);
  }
  if (all[0].empty() || all[1].empty() || (stars[0].empty() && stars[1].empty())) return;
  std::vector<std::string> spelled;  // normalised, because some dialects treat two spellings of an escape as equal
  for (const PlainRule& rule : rules) {
    spelled.push_back(is_plain(rule.pattern) ? std::string(rule.pattern) : respelled(rule.pattern));
  }
  std::vector<std::string_view> heads;
  heads.reserve(spelled.size());
  for (const std::string& pattern : spelled) heads.push_back(literal_head(pattern));

  // Returns false if a limit is reached.
  const auto look = [&](std::size_t i, std::size_t j) {
    if (++pairs_ > max_pairs) return false;
    const std::size_t shared = std::min(heads[i].size(), heads[j].size());
    if (heads[i].substr(0, shared) != heads[j].substr(0, shared)) return true;
    states_ += (spelled[i].size() + 1) * (spelled[j].size() + 1);
    if (++overlaps_ > max_overlaps || states_ > max_overlap_states) {
      --overlaps_;
      return false;
    }
    if (const auto path = overlap(spelled[i], spelled[j])) {
      add(keep(askable(*path + filler_.behind(*path))));
      add(keep(askable(*path)));
    }
    return true;
  };
  for (std::size_t i = 0; i < parts.changed.size() && !cut_; ++i) {
    const std::size_t reverse = rules[i].allow ? 0 : 1;
    const std::vector<std::size_t>& others = has_star(rules[i].pattern) ? all[reverse] : stars[reverse];
    for (auto j = std::upper_bound(others.begin(), others.end(), i); j != others.end() && !cut_; ++j) {
      cut_ = !look(i, *j);
    }
  }
}

}  // namespace robotrules::advice
