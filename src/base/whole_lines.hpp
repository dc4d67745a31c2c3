// Cuts a text after a whole line, also in UTF-16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

// The byte order of UTF-16; none: the text is not UTF-16.
enum class ByteOrder : std::uint8_t { none, little, big };

// Returns the byte order that a byte order mark tells.
ROBOTRULES_INTERNAL_API ByteOrder marked_byte_order(std::string_view text) noexcept;

// Returns the number of bytes of those lines of `text` that end within its first `limit` bytes. Half a line of a
// robots.txt must not count as a rule.
ROBOTRULES_INTERNAL_API std::size_t whole_lines(std::string_view text, std::size_t limit, ByteOrder order) noexcept;
inline std::size_t whole_lines(std::string_view text, std::size_t limit) noexcept {
  return whole_lines(text, limit, marked_byte_order(text));
}

}  // namespace robotrules::base
