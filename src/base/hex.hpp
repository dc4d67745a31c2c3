// Hexadecimal digits, and escapes in URLs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "base/visibility.hpp"

namespace robotrules::base {

// Appends the last `digits` hexadecimal digits of `value`, in capitals.
void append_hex(std::string& out, std::uint32_t value, int digits);
// Returns two digits for each byte, in small letters.
ROBOTRULES_INTERNAL_API std::string hex(std::string_view bytes);

// Appends "%XX", with digits in capitals.
ROBOTRULES_INTERNAL_API void append_percent(std::string& out, char byte);
// Returns the byte of the escape "%XX" that `text` begins with, or -1 if there is none.
constexpr int escaped_byte(std::string_view text) noexcept {
  if (text.size() < 3 || text[0] != '%') return -1;
  const int high = hex_value(text[1]);
  const int low = hex_value(text[2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

// Returns the text with all escapes "%XX" decoded, once. A "%" that begins no escape stays.
ROBOTRULES_INTERNAL_API std::string decoded_escapes(std::string_view text);
// The same; null if a "%" begins no escape.
ROBOTRULES_INTERNAL_API std::optional<std::string> decoded_whole_escapes(std::string_view text);

}  // namespace robotrules::base
