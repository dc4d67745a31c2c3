// Does one pattern match whatever another one matches?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robotrules::core {

// Steps that comparing patterns may take in one call of lint(). What is left when it runs out is not compared.
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

// A normalised pattern, taken apart.
struct Pattern {
  std::string text;       // as normalised; its size is the rule's weight
  std::size_t head = 0;   // octets before the first "*"
  bool stars = false;     // there is a "*"
  bool anchored = false;  // it ends in "$", which is an octet of `text`

  bool literal() const noexcept { return !stars && !anchored; }
  std::string_view head_text() const noexcept { return std::string_view(text).substr(0, head); }
  std::string_view body() const noexcept { return std::string_view(text).substr(0, text.size() - (anchored ? 1 : 0)); }
};
Pattern make_pattern(std::string text, bool wildcards, bool dollar_is_end);

// True only where every path that `narrow` matches is matched by `wide`. Both have wildcards as in make_pattern().
// False where the budget runs out. No recursion; at most |wide| * |narrow| steps.
bool covers(const Pattern& wide, const Pattern& narrow, StepBudget& budget) noexcept;

// False only where no path begins with both heads, so that no path is matched by both.
bool may_meet(const Pattern& a, const Pattern& b) noexcept;

}  // namespace robotrules::core
