// Conversion of bodies in any charset to UTF-8.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::agent {

struct Utf8Text {
  std::string text;       // valid UTF-8, without a byte order mark
  std::string charset;    // the charset that was used: "utf-8", "iso-8859-1", "windows-1252"
  bool replaced = false;  // invalid bytes became U+FFFD
  bool cut = false;       // the limit was reached before the end
};

// Returns the name of the charset that is used for a label ("latin1" → "iso-8859-1"); empty if the label is unknown.
//
// Known are the labels of the WHATWG's Encoding Standard that name a charset of iconv, and UTF-32. No others are known,
// so a server cannot choose which converters are loaded. ISO-8859-1 and US-ASCII are read as themselves, as LWP does,
// and not as windows-1252.
ROBOTRULES_INTERNAL_API std::string_view known_charset(std::string_view label) noexcept;

// Returns at most `limit` bytes of UTF-8, cut between characters. If the charset is unknown, UTF-8 or ISO-8859-1 is
// guessed.
ROBOTRULES_INTERNAL_API Utf8Text to_utf8(std::string_view bytes, std::string_view charset,
                                         std::size_t limit = std::numeric_limits<std::size_t>::max());

// Returns `text`, which is UTF-8, with all characters outside ASCII percent-encoded in that charset. Characters that
// the charset does not have are percent-encoded in UTF-8.
ROBOTRULES_INTERNAL_API std::string percent_encoded(std::string_view text, std::string_view charset);

}  // namespace robotrules::agent
