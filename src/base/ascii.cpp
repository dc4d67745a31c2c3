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

std::optional<std::int64_t> read_digits(std::string_view text, std::int64_t most) noexcept {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    const std::int64_t digit = c - '0';
    if (value > most / 10 || (value == most / 10 && digit > most % 10)) return most;
    value = value * 10 + digit;
  }
  return value;
}

}  // namespace robotrules::base
