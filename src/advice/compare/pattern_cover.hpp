// Tells whether one pattern matches all paths that another one matches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robotrules::advice {

// Budget of steps for comparing patterns in one call of lint() or compare(). When it runs out, the other patterns are
// not compared.
struct StepBudget {
  std::size_t steps = 20'000'000;
  bool take(std::size_t count) noexcept {
    if (count > steps) {
      steps = 0;
      return false;
    }
    steps -= count;
    return true;
  }
};

// The parts of a normalised pattern.
struct Pattern {
  std::string text;       // normalised; its size is the weight of the rule
  std::size_t head = 0;   // bytes before the first "*"
  bool stars = false;     // contains a "*"
  bool anchored = false;  // ends in "$", which is part of `text`

  bool literal() const noexcept { return !stars && !anchored; }
  std::string_view head_text() const noexcept { return std::string_view(text).substr(0, head); }
  std::string_view body() const noexcept { return std::string_view(text).substr(0, text.size() - (anchored ? 1 : 0)); }
};
Pattern make_pattern(std::string text, bool wildcards, bool dollar_is_end);

// Returns true only if `wide` matches every path that `narrow` matches. Returns false if the budget runs out. No
// recursion; at most |wide| * |narrow| steps.
bool covers(const Pattern& wide, const Pattern& narrow, StepBudget& budget) noexcept;

// Returns false only if no path begins with both heads, so that no path can match both patterns.
bool may_meet(const Pattern& a, const Pattern& b) noexcept;

}  // namespace robotrules::advice
