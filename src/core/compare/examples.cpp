#include "core/compare/examples.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace robotrules::core {

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
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return rules;
}

bool has_star(std::string_view pattern) noexcept { return pattern.find('*') != std::string_view::npos; }

bool is_plain(std::string_view pattern) noexcept {
  return std::ranges::none_of(pattern, [](char c) { return c == '%' || static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

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

std::vector<const std::string*> Examples::of(const RuleList& before, const RuleList& after) {
  ++call_;
  taken_.clear();
  const RuleList old_rules = sorted(before);
  const RuleList new_rules = sorted(after);
  RuleList rules;
  std::set_symmetric_difference(old_rules.begin(), old_rules.end(), new_rules.begin(), new_rules.end(),
                                std::back_inserter(rules));
  std::set_intersection(old_rules.begin(), old_rules.end(), new_rules.begin(), new_rules.end(),
                        std::back_inserter(rules));
  for (const PlainRule& rule : rules) {
    for (const Path path : examples(rule.pattern)) add(path);
  }
  add(keep("/"));
  add(keep("/" + filler_.behind("/")));
  add_overlaps(rules);
  return taken_;
}

void Examples::add_overlaps(const RuleList& rules) {
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
  for (std::size_t i = 0; i < rules.size() && !cut_; ++i) {
    const std::size_t reverse = rules[i].allow ? 0 : 1;
    const std::vector<std::size_t>& others = has_star(rules[i].pattern) ? all[reverse] : stars[reverse];
    for (auto j = std::upper_bound(others.begin(), others.end(), i); j != others.end() && !cut_; ++j) {
      cut_ = !look(i, *j);
    }
  }
}

}  // namespace robotrules::core
