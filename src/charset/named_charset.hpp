// What the bytes of a text say themselves about their charset.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::agent {

// The declarations of XML and HTML are looked for in this many bytes.
inline constexpr std::size_t max_prescan = 1024;

// Each function returns a known charset, or an empty view if the bytes do not say it.

// Returns the charset of a byte order mark.
ROBOTRULES_INTERNAL_API std::string_view charset_of_mark(std::string_view bytes) noexcept;

// Returns the charset of a text that starts with an ASCII character, by the positions of the NULs in its first four
// bytes: a UTF-16 or UTF-32.
ROBOTRULES_INTERNAL_API std::string_view charset_of_zeros(std::string_view bytes) noexcept;

// Returns the charset in <?xml version="1.0" encoding="...">. White space before it is ignored. If it names a UTF-16 or
// UTF-32, returns "utf-8", because the declaration itself is not in that charset.
ROBOTRULES_INTERNAL_API std::string_view charset_of_declaration(std::string_view bytes) noexcept;

// Returns true for UTF-16 and UTF-32: every ASCII character has NULs.
inline bool is_wide(std::string_view charset) noexcept {
  return charset.starts_with("utf-16") || charset.starts_with("utf-32");
}

}  // namespace robotrules::agent
