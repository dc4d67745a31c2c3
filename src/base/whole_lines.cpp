#include "base/whole_lines.hpp"

#include <algorithm>

namespace robotrules::base {

ByteOrder marked_byte_order(std::string_view text) noexcept {
  if (text.starts_with("\xFF\xFE")) return ByteOrder::little;
  return text.starts_with("\xFE\xFF") ? ByteOrder::big : ByteOrder::none;
}

std::size_t whole_lines(std::string_view text, std::size_t limit, ByteOrder order) noexcept {
  const std::size_t unit = order == ByteOrder::none ? 1 : 2;  // bytes of a character, or of half a surrogate pair
  const std::size_t low = order == ByteOrder::big ? 1 : 0;    // of the byte that has the letter
  const auto is_line_end = [&](std::size_t at) {
    if (text.size() - at < unit) return false;
    const char letter = text[at + low];
    return (letter == '\n' || letter == '\r') && (unit == 1 || text[at + 1 - low] == '\0');
  };
  std::size_t end = std::min(text.size(), limit) / unit * unit;
  if (end < text.size() && is_line_end(end)) return end;  // the last line is whole, only its line end is cut off
  while (end > 0 && !is_line_end(end - unit)) end -= unit;
  return end;
}

}  // namespace robotrules::base
