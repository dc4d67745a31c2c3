// Percent-encoding and matching.
#include "oracle/bytes.hpp"
#include "oracle/oracle.hpp"

namespace robotrules::oracle {
namespace {

using Encoding = Dialect::Encoding;

std::string escape(unsigned char c) {
  static constexpr char digits[] = "0123456789ABCDEF";
  return {'%', digits[c >> 4], digits[c & 15]};
}

bool unreserved(unsigned char c) {
  const char x = static_cast<char>(c);
  return is_letter(x) || is_digit(x) || x == '-' || x == '.' || x == '_' || x == '~';
}

// What stands at text[i]: the byte there, or the one that "%xx" there stands for.
struct Unit {
  unsigned char value = 0;
  bool escaped = false;
};

Unit unit_at(std::string_view text, std::size_t i) {
  if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
    return {static_cast<unsigned char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])), true};
  }
  return {byte(text[i]), false};
}

// How the encoding writes a unit. `raw` is what stood in the text.
std::string written(Unit unit, std::string_view raw, Encoding encoding) {
  const unsigned char c = unit.value;
  switch (encoding) {
    case Encoding::none: break;
    case Encoding::upper_and_non_ascii:
      if (unit.escaped || c >= 0x80) return escape(c);
      break;
    case Encoding::rfc9309:
      if (unit.escaped) return unreserved(c) ? std::string(1, static_cast<char>(c)) : escape(c);
      if (c >= 0x7F || c <= 0x20) return escape(c);
      if (std::string_view("\"<>\\^`{|}").find(static_cast<char>(c)) != std::string_view::npos) return escape(c);
      break;
    case Encoding::decode_but_slash:
      if (unit.escaped) return c == '/' ? "%2F" : std::string(1, static_cast<char>(c));
      break;
    case Encoding::decode_but_reserved:
      if (!unit.escaped) break;
      if (c == '/' || c == '?' || c == '&' || c == '=') return {'%', static_cast<char>(c)};
      return std::string(1, static_cast<char>(c));
    case Encoding::uri_escape: {
      if (unit.escaped) break;
      const char x = static_cast<char>(c);
      const bool kept =
          is_letter(x) || is_digit(x) || std::string_view(";/?:@&=+$,-_.!~*'()%").find(x) != std::string_view::npos;
      if (!kept || c == 0) return escape(c);
      break;
    }
  }
  return std::string(raw);
}

}  // namespace

std::string normalised_path(std::string_view path, const Dialect& dialect) {
  std::string out;
  for (std::size_t i = 0; i < path.size();) {
    const Unit unit = unit_at(path, i);
    const std::size_t length = unit.escaped ? 3 : 1;
    if (dialect.url_encoding == Encoding::rfc9309 && !unit.escaped && (unit.value == '*' || unit.value == '$')) {
      out += escape(unit.value);
    } else {
      out += written(unit, path.substr(i, length), dialect.url_encoding);
    }
    i += length;
  }
  return out;
}

Pattern normalised_pattern(std::string_view text, const Dialect& dialect) {
  Pattern out;
  for (std::size_t i = 0; i < text.size();) {
    const Unit unit = unit_at(text, i);
    const std::size_t length = unit.escaped ? 3 : 1;
    std::string bytes = written(unit, text.substr(i, length), dialect.pattern_encoding);
    const bool last = i + length == text.size();
    // robotstxt-parser decodes first and looks for "*" then, so that %2A is a wildcard there.
    const bool star = bytes == "*";
    const bool dollar = !unit.escaped && unit.value == '$';
    if (star && dialect.wildcards) {
      out.push_back(any_bytes);
    } else if (dollar && last && dialect.dollar != Dialect::Dollar::literal) {
      out.push_back(end_of_url);
    } else {
      if (dialect.pattern_encoding == Encoding::rfc9309 && !unit.escaped && (star || dollar)) {
        bytes = escape(unit.value);
      }
      for (const char c : bytes) out.push_back(byte(c));
    }
    i += length;
  }
  return out;
}

bool naive_match(const Pattern& pattern, std::string_view path, const Dialect& dialect) {
  // matches[j]: what is left of the pattern matches what is left of the path from j. Nothing left: always.
  std::string matches(path.size() + 1, '\1');
  for (std::size_t i = pattern.size(); i-- > 0;) {
    const std::string before = matches;
    for (std::size_t j = path.size() + 1; j-- > 0;) {
      const bool at_end = j == path.size();
      bool now = false;
      if (pattern[i] == any_bytes) {
        const bool may_take = !at_end && !(dialect.path_lines && path[j] == '\n');
        now = before[j] != 0 || (may_take && matches[j + 1] != 0);  // takes nothing, or one byte and stays
      } else if (pattern[i] == end_of_url) {
        now = at_end || (dialect.dollar == Dialect::Dollar::end_or_query && path[j] == '?') ||
              (dialect.path_lines && path[j] == '\n');
      } else {
        now = !at_end && pattern[i] == byte(path[j]) && before[j + 1] != 0;
      }
      matches[j] = now ? '\1' : '\0';
    }
  }
  for (std::size_t j = 1; j <= path.size(); ++j) {
    if (dialect.path_lines && path[j - 1] == '\n' && matches[j] != 0) return true;
  }
  return matches[0] != 0;
}

}  // namespace robotrules::oracle
