// Percent-escapes of the path and the query of a URL (RFC 3986).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

// Letters, digits and "-._~": an escape of one means the same as the character (RFC 3986 section 2.3).
constexpr bool is_unreserved(unsigned c) noexcept {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

// Bytes that occur in no URL unescaped (RFC 3986 section 2). "[" and "]" occur in hosts only, but are none of them.
constexpr bool is_outside_urls(unsigned c) noexcept {
  return c <= 0x20 || c >= 0x7F || c == '"' || c == '<' || c == '>' || c == '\\' || c == '^' || c == '`' ||
         (c >= '{' && c <= '}');
}

// Return the path and query `text` with other escapes. A space after the first "?" becomes "+". A "%" that begins no
// escape stays.
//
// The normal form (RFC 3986 section 6.2.2): digits of escapes in capitals, unreserved characters decoded, bytes outside
// URLs escaped. Equivalent texts become equal, and the normal form of a normal form is the same text.
ROBOTRULES_INTERNAL_API std::string normal_escapes(std::string_view text);
// Only what no request can carry: spaces and bytes outside ASCII are escaped. Versions without a normal form sent URLs
// in this spelling, with digits in small letters, and queues have keys in it.
enum class HexDigits : std::uint8_t { small, capital };
ROBOTRULES_INTERNAL_API std::string needed_escapes(std::string_view text, HexDigits digits = HexDigits::small);

// Returns the key of an older version for a URL that was found as `found`; its normal form is `key`. Such keys have no
// empty query.
ROBOTRULES_INTERNAL_API std::string older_spelling(std::string_view found, std::string_view key);

}  // namespace robotrules::base
