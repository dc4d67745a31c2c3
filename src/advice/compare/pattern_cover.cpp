#include "advice/compare/pattern_cover.hpp"

#include <algorithm>
#include <utility>

namespace robotrules::advice {

Pattern make_pattern(std::string text, bool wildcards, bool dollar_is_end) {
  Pattern pattern;
  pattern.text = std::move(text);
  pattern.anchored = dollar_is_end && pattern.text.ends_with('$');
  const std::string_view body = pattern.body();
  pattern.head = wildcards ? std::min(body.find('*'), body.size()) : body.size();
  pattern.stars = pattern.head < body.size();
  return pattern;
}

// Matches `wide` with the text of `narrow` as if it were a path. A "*" of this path is one byte that only a "*" of
// `wide` matches. A pattern that is not anchored is treated as if it ended in "*".
bool covers(const Pattern& wide, const Pattern& narrow, StepBudget& budget) noexcept {
  const std::string_view pattern = wide.body(), text = narrow.body();
  const bool pattern_open = !wide.anchored;
  const bool text_open = !narrow.anchored;
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t p = 0, t = 0, star = none, star_text = 0, steps = 0;
  const std::size_t text_end = text.size() + (text_open ? 1 : 0);  // the last byte is the "*" at the end
  while (t < text_end) {
    if (++steps == 256) {
      if (!budget.take(steps)) return false;
      steps = 0;
    }
    if (pattern_open && p == pattern.size()) return budget.take(steps);
    const bool text_star = t == text.size() || (narrow.stars && text[t] == '*');
    if (p < pattern.size() && wide.stars && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && !text_star && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != none) {
      p = star + 1;
      t = ++star_text;
    } else {
      budget.take(steps);
      return false;
    }
  }
  if (!budget.take(steps)) return false;
  while (p < pattern.size() && wide.stars && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool may_meet(const Pattern& a, const Pattern& b) noexcept {
  const std::size_t common = std::min(a.head, b.head);
  return a.head_text().substr(0, common) == b.head_text().substr(0, common);
}

}  // namespace robotrules::advice
