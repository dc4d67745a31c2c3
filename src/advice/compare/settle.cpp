#include "advice/compare/settle.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/sort.hpp"
#include "core/percent.hpp"

namespace robotrules::advice {
namespace {

// The weight of a rule in the first list and that of its partner in the second.
using Weights = std::pair<std::size_t, std::size_t>;

// Rules that have the same effect and match the same paths. Only the longest of a list counts.
struct Kind {
  Pattern pattern;
  bool allow = false;
  Weights all{0, 0};       // of the longest rules; 0: the list has none
  std::size_t common = 0;  // of the longest rule that both lists have; 0: there is none
  bool changed = false;    // one list has a rule that the other one has not
  bool settled = false;
  // The weights that are known to have partners.
  Weights known() const noexcept { return settled ? all : Weights{common, common}; }
};

class Settling {
 public:
  Settling(const Dialect& dialect, StepBudget& budget) : dialect_(dialect), budget_(budget) {}

  void add(const PlainRule& rule, bool before, bool after) {
    if (rule.pattern.empty()) return;
    std::string text = core::normalised_pattern(rule.pattern, dialect_);
    if (dialect_.index_html && rule.allow) {
      // Such a rule also allows its directory. Its own change is not looked at.
      const std::size_t slash = rule.pattern.rfind('/');
      if (slash != std::string_view::npos && rule.pattern.substr(slash).starts_with("/index.htm")) {
        if (before && after) link(make(text.substr(0, text.rfind('/') + 1) + "$", true), {});
        if (!before || !after) return;
      }
    }
    Kind& kind = make(std::move(text), rule.allow);
    const std::size_t weight = weight_;
    if (before) kind.all.first = std::max(kind.all.first, weight);
    if (after) kind.all.second = std::max(kind.all.second, weight);
    if (before && after) {
      kind.common = std::max(kind.common, weight);
      link(kind, {weight, weight});
    } else {
      kind.changed = true;
    }
    of_rule_.emplace(rule, &kind);
  }

  void run() {
    std::vector<Kind*> one_sided;
    std::vector<Kind*> moved;
    for (Kind& kind : kinds_) {
      if (!kind.changed) continue;
      if (kind.all.first == 0 || kind.all.second == 0) {
        one_sided.push_back(&kind);
      } else if (kind.all.first != kind.all.second) {
        moved.push_back(&kind);
      } else {
        settle(kind, kind.all);
      }
    }
    for (Kind* kind : moved) {
      if (keeps_winners(*kind, kind->all)) settle(*kind, kind->all);
    }
    index_heads();
    for (Kind* kind : one_sided) settle_under_wider(*kind);
  }

  bool settled(const PlainRule& rule) const {
    const auto found = of_rule_.find(rule);
    return found != of_rule_.end() && found->second->settled;
  }

 private:
  // Returns the kind of a rule with this normalised pattern, and sets weight_.
  Kind& make(std::string text, bool allow) {
    weight_ = text.size();
    Pattern pattern = make_pattern(std::move(text), dialect_.wildcards, dialect_.dollar != Dialect::Dollar::literal);
    std::string key(1, allow ? 'a' : 'd');
    bool open = !pattern.anchored;
    for (const char c : pattern.body()) {
      if (!(dialect_.wildcards && c == '*' && key.ends_with('*'))) key += c;
    }
    if (dialect_.wildcards && key.ends_with('*')) {  // "/a*" and "/a*$" match what "/a" matches
      key.pop_back();
      open = true;
    }
    key += open ? "" : "\n";
    const auto [found, is_new] = by_key_.try_emplace(std::move(key), nullptr);
    if (is_new) {
      found->second = &kinds_.emplace_back();
      found->second->pattern = std::move(pattern);
      found->second->allow = allow;
    }
    return *found->second;
  }

  void link(const Kind& kind, Weights weights) {
    if (weights.first == 0) weights = {weight_, weight_};
    links_[kind.allow ? 1 : 0][weights].push_back(&kind.pattern);
  }

  void settle(Kind& kind, const Weights& weights) {
    kind.settled = true;
    link(kind, weights);
  }

  // Returns false if a rule with the opposite effect may win before and lose afterwards, or the reverse.
  bool keeps_winners(const Kind& kind, const Weights& weights) {
    for (const auto& [others, patterns] : links_[kind.allow ? 0 : 1]) {
      const Weights& allow = kind.allow ? weights : others;
      const Weights& disallow = kind.allow ? others : weights;
      if ((allow.first >= disallow.first) == (allow.second >= disallow.second)) continue;
      for (const Pattern* other : patterns) {
        if (!budget_.take(1) || may_meet(*other, kind.pattern)) return false;
      }
    }
    return true;
  }

  void index_heads() {
    for (const Kind& kind : kinds_) {
      if (kind.known().first == 0) continue;
      by_head_[kind.allow ? 1 : 0][kind.pattern.head_text()].push_back(&kind);
    }
  }

  // Settles rules of one list if the other list has a partner that matches more than they do.
  void settle_under_wider(Kind& kind) {
    const std::string_view head = kind.pattern.head_text();
    for (std::size_t size = 0; size <= head.size(); ++size) {
      const auto& heads = by_head_[kind.allow ? 1 : 0];
      const auto found = heads.find(head.substr(0, size));
      if (found == heads.end()) continue;
      for (const Kind* wide : found->second) {
        if (!budget_.take(1)) return;
        if (!covers(wide->pattern, kind.pattern, budget_)) continue;
        const auto [before, after] = wide->known();
        const Weights weights = kind.all.first != 0 ? Weights{std::max(kind.all.first, before), after}
                                                    : Weights{before, std::max(kind.all.second, after)};
        if (keeps_winners(kind, weights)) return settle(kind, weights);
      }
    }
  }

  const Dialect& dialect_;
  StepBudget& budget_;
  std::deque<Kind> kinds_;
  std::map<std::string, Kind*> by_key_;
  std::map<PlainRule, Kind*> of_rule_;
  std::size_t weight_ = 0;
  // By effect: the weights of rules and of their partners, and the patterns that have them.
  std::array<std::map<Weights, std::vector<const Pattern*>>, 2> links_;
  std::array<std::map<std::string_view, std::vector<const Kind*>>, 2> by_head_;
};

bool has_proof(const Dialect& dialect) noexcept {
  return dialect.precedence == Dialect::Precedence::longest && dialect.rule_value == Dialect::RuleValue::pattern &&
         dialect.dollar != Dialect::Dollar::end_or_query && !dialect.path_lines;
}

}  // namespace

void settle(RuleList& removed, RuleList& added, RuleList& common, const Dialect& dialect, StepBudget& budget) {
  if ((removed.empty() && added.empty()) || !has_proof(dialect)) return;
  Settling settling(dialect, budget);
  for (const PlainRule& rule : common) settling.add(rule, true, true);
  for (const PlainRule& rule : removed) settling.add(rule, true, false);
  for (const PlainRule& rule : added) settling.add(rule, false, true);
  settling.run();
  for (RuleList* list : {&removed, &added}) {
    const auto is_settled = [&](const PlainRule& rule) { return settling.settled(rule); };
    std::ranges::copy_if(*list, std::back_inserter(common), is_settled);
    std::erase_if(*list, is_settled);
  }
  base::sort(common);
}

}  // namespace robotrules::advice
