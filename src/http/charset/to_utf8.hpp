// Bodies of any charset as UTF-8.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "http/fields/content_type.hpp"

namespace robotrules::agent {

struct Utf8Text {
  std::string text;       // valid UTF-8, without a byte order mark
  std::string charset;    // what it was read as: "utf-8", "iso-8859-1", "windows-1252"
  bool replaced = false;  // octets that mean nothing became U+FFFD
  bool cut = false;       // the limit came before the end
};

// The name by which the charset of that label is read ("latin1" → "iso-8859-1"), or empty where it is unknown: the
// labels of the WHATWG's Encoding Standard that name what iconv can read, UTF-32, and no others, so that no stranger's
// words choose the converters that are loaded. ISO-8859-1 and US-ASCII are themselves, as LWP has it, not windows-1252.
std::string_view known_charset(std::string_view label) noexcept;

// What HTTP::Message guesses: the charset of the Content-Type, the byte order mark, the XML declaration or HTML's meta
// in the first 1,024 octets, by the type; then UTF-8 where the octets are such, or ISO-8859-1. The answer is known.
std::string_view find_charset(std::string_view octets, const ContentType& type);

// At most `limit` octets of result, cut between characters. An unknown charset is guessed: UTF-8 or ISO-8859-1.
Utf8Text to_utf8(std::string_view octets, std::string_view charset,
                 std::size_t limit = std::numeric_limits<std::size_t>::max());

// `text`, which is UTF-8, with what is beyond ASCII percent-encoded in that charset; what it has no octets for, in
// UTF-8.
std::string percent_encoded(std::string_view text, std::string_view charset);

}  // namespace robotrules::agent
