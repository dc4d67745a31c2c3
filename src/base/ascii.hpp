// Characters of protocol text: ASCII only, independent of the locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) noexcept { return lower(c) >= 'a' && lower(c) <= 'z'; }
constexpr bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }  // OWS of RFC 9110
constexpr bool is_control(char c) noexcept { return (c >= 0 && c < 0x20) || c == 0x7F; }
// Returns the value of a hexadecimal digit, or -1 for other characters.
constexpr int hex_value(char c) noexcept {
  if (is_digit(c)) return c - '0';
  return lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}
// Returns true for tchar of RFC 9110 section 5.6.2.
constexpr bool is_token_octet(char c) noexcept {
  return is_digit(c) || is_letter(c) ||
         (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

// Returns `text` without is_space() characters at both ends.
ROBOTRULES_INTERNAL_API std::string_view trimmed(std::string_view text) noexcept;
// Inline, because the scanner of robots.txt uses it for every name.
constexpr bool equals_ignore_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}
constexpr bool starts_with_ignore_case(std::string_view text, std::string_view prefix) noexcept {
  return text.size() >= prefix.size() && equals_ignore_case(text.substr(0, prefix.size()), prefix);
}
ROBOTRULES_INTERNAL_API std::string lower_case(std::string_view text);

// Reads one or more digits; null for all other text. Values above `max` become `max`.
ROBOTRULES_INTERNAL_API std::optional<std::int64_t> read_digits(std::string_view text, std::int64_t max) noexcept;

}  // namespace robotrules::base
