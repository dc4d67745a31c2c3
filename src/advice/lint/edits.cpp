// Applies the edits of findings to a text.
#include <cstdint>
#include <string>
#include <vector>

#include <robotrules/diagnose.hpp>

#include "base/sort.hpp"
#include "core/line/lexer.hpp"

namespace robotrules {

std::string with_edits(std::string_view text, std::span<const LineEdit> edits) {
  std::vector<const LineEdit*> sorted;
  for (const LineEdit& edit : edits) sorted.push_back(&edit);
  base::stable_sort(sorted, [](auto* a, auto* b) { return a->line < b->line; });
  auto next = sorted.begin();
  std::string out;
  out.reserve(text.size());
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const core::LineSpan span = core::line_at(text, begin);
    begin = span.next;
    ++number;
    while (next != sorted.end() && (*next)->line < number) ++next;
    if (next == sorted.end() || (*next)->line != number) {
      out.append(text, span.begin, span.next - span.begin);
      continue;
    }
    const std::string_view end = text.substr(span.end, span.next - span.end);
    const std::vector<std::string>& lines = (*next)->lines;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      out += lines[i];
      const bool between = i + 1 < lines.size();
      out += end.empty() && between ? std::string_view("\n") : end;
    }
  }
  return out;
}

}  // namespace robotrules
