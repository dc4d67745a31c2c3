#include "base/escape.hpp"

#include "base/hex.hpp"
#include "base/utf8.hpp"

namespace robotrules::base {

void append_escaped(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    out += "\\x";
    append_hex(out, static_cast<unsigned char>(c), 2);
  }
}

std::string escaped(std::string_view text, std::size_t limit) {
  const bool cut = limit != 0 && text.size() > limit;
  if (cut) text = text.substr(0, limit);
  std::string out;
  out.reserve(text.size());
  for (const char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F || c == '\\') {
      append_escaped(out, {&c, 1});
    } else {
      out += c;
    }
  }
  if (cut) out += "...";
  return out;
}

std::string excerpt(std::string_view text) { return escaped(text, 200); }

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_at(text, at);
    if (!c.valid || c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0)) {
      append_escaped(out, text.substr(at, c.size));
    } else if (is_invisible(c.value)) {
      out += "\\u";
      append_hex(out, c.value, 4);
    } else {
      out.append(text, at, c.size);
    }
    at += c.size;
  }
  return out;
}

}  // namespace robotrules::base
