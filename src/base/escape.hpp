// Bytes from strangers (files, URLs, headers) in a sentence. No result can move the cursor of a terminal, change a
// colour or start a new line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

// True for characters that show nothing and change how others are shown: marks of direction and their overrides,
// separators of lines and paragraphs, the space and the no-break space without width.
constexpr bool is_invisible(std::uint32_t c) noexcept {
  return c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

// Appends each byte as \xNN.
ROBOTRULES_INTERNAL_API void append_escaped(std::string& out, std::string_view bytes);

// Returns `text` in printable ASCII: every other byte, and the backslash, as \xNN. If `limit` is not 0 and `text` is
// longer, it is cut after `limit` bytes and "..." is appended.
std::string escaped(std::string_view text, std::size_t limit = 0);

// Returns the first 200 bytes so, for an error message.
ROBOTRULES_INTERNAL_API std::string excerpt(std::string_view text);

// Returns `text` in printable UTF-8: controls (C0, DEL, C1) and bytes that are not UTF-8 as \xNN, invisible characters
// as
// \u202E.
ROBOTRULES_INTERNAL_API std::string printable(std::string_view text);

}  // namespace robotrules::base
