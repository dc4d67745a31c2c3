// UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

struct Utf8Character {
  std::uint32_t value = 0;  // if invalid, the first byte itself
  std::size_t size = 1;     // if invalid, that of the broken sequence's maximal part (Unicode 15, section 3.9)
  bool valid = false;
};

// Returns the character that begins at text[at], at < text.size(). Overlong forms, surrogates and values beyond
// U+10FFFF are invalid.
constexpr Utf8Character utf8_at(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {lead, 1, false};
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte keeps out overlong forms, surrogates and values beyond U+10FFFF.
  unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  std::uint32_t value = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (at + i == text.size() || byte(i) < low || byte(i) > high) return {lead, i, false};
    value = value << 6 | (byte(i) & 0x3Fu);
    low = 0x80;
    high = 0xBF;
  }
  return {value, size, true};
}

// Returns true if all of `text` is valid UTF-8.
ROBOTRULES_INTERNAL_API bool is_utf8(std::string_view text) noexcept;

}  // namespace robotrules::base
