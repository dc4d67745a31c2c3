// UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace robotrules::core {

struct Utf8Character {
  std::uint32_t value = 0;  // the octet itself where invalid
  std::size_t size = 1;     // 1 where invalid
  bool valid = false;
};

// The character that begins at text[at], at < text.size(). Overlong forms, surrogates and values beyond U+10FFFF are
// invalid.
constexpr Utf8Character utf8_at(std::string_view text, std::size_t at) noexcept {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - at < size) return {lead, 1, false};
  std::uint32_t value = lead & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const auto octet = static_cast<unsigned char>(text[at + i]);
    if ((octet & 0xC0) != 0x80) return {lead, 1, false};
    value = value << 6 | (octet & 0x3Fu);
  }
  const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  if (overlong || (value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF) return {lead, 1, false};
  return {value, size, true};
}

}  // namespace robotrules::core
