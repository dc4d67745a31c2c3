#include "base/ascii.hpp"

#include <algorithm>

namespace robotrules::base {

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::optional<std::int64_t> read_digits(std::string_view text, std::int64_t max) noexcept {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    const std::int64_t digit = c - '0';
    if (value > max / 10 || (value == max / 10 && digit > max % 10)) return max;
    value = value * 10 + digit;
  }
  return value;
}

}  // namespace robotrules::base
