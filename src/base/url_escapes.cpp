#include "base/url_escapes.hpp"

#include "base/hex.hpp"

namespace robotrules::base {
namespace {

// Tells whether a digit at the end of `out` would belong to the "%" at `loose`, which begins no escape. If a decoded
// character became that digit, there would be an escape that was not there before: "%%341" is not "%41".
bool continues_escape(const std::string& out, std::size_t loose) noexcept {
  if (loose == std::string::npos) return false;
  const std::size_t after = out.size() - loose;
  return after == 1 || (after == 2 && hex_value(out.back()) >= 0);
}

}  // namespace

std::string normal_escapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t loose = std::string::npos;  // in `out`: the last "%" that begins no escape
  bool in_query = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (const int byte = escaped_byte(text.substr(i)); byte >= 0) {
      const char plain = static_cast<char>(byte);
      const bool is_digit = hex_value(plain) >= 0;
      if (is_unreserved(static_cast<unsigned>(byte)) && !(is_digit && continues_escape(out, loose))) {
        out += plain;
      } else {
        append_percent(out, plain);
      }
      i += 2;
      continue;
    }
    in_query = in_query || c == '?';
    if (c == '%') loose = out.size();
    if (c == ' ' && in_query) {
      out += '+';
    } else if (is_outside_urls(static_cast<unsigned char>(c))) {
      append_percent(out, c);
    } else {
      out += c;
    }
  }
  return out;
}

std::string needed_escapes(std::string_view text, HexDigits digits) {
  std::string out;
  out.reserve(text.size());
  bool in_query = false;
  for (const char c : text) {
    in_query = in_query || c == '?';
    if (c == ' ') {
      out += in_query ? "+" : "%20";
    } else if (static_cast<unsigned char>(c) < 0x80) {
      out += c;
    } else if (digits == HexDigits::capital) {
      append_percent(out, c);
    } else {
      out.append("%").append(hex({&c, 1}));
    }
  }
  return out;
}

std::string older_spelling(std::string_view found, std::string_view key) {
  std::string older = needed_escapes(found);
  if (older.ends_with('?') && key.find('?') == std::string_view::npos) older.pop_back();
  return older;
}

}  // namespace robotrules::base
