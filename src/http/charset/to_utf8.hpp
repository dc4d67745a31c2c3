// Conversion of bodies in any charset to UTF-8.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "fields/content_type.hpp"

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
std::string_view known_charset(std::string_view label) noexcept;

// Returns the charset that HTTP::Message would guess: that of the Content-Type, the byte order mark, or the XML
// declaration or HTML meta element in the first 1,024 bytes, depending on the type. Otherwise it is UTF-8 if the bytes
// are valid UTF-8, else ISO-8859-1. The result is always a known charset.
std::string_view find_charset(std::string_view bytes, const ContentType& type);

// Returns at most `limit` bytes of UTF-8, cut between characters. If the charset is unknown, UTF-8 or ISO-8859-1 is
// guessed.
Utf8Text to_utf8(std::string_view bytes, std::string_view charset,
                 std::size_t limit = std::numeric_limits<std::size_t>::max());

// Returns `text`, which is UTF-8, with all characters outside ASCII percent-encoded in that charset. Characters that
// the charset does not have are percent-encoded in UTF-8.
std::string percent_encoded(std::string_view text, std::string_view charset);

}  // namespace robotrules::agent
