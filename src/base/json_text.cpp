#include "base/json_text.hpp"

#include <cstdint>

#include "base/escape.hpp"
#include "base/hex.hpp"
#include "base/utf8.hpp"

namespace robotrules::base {
namespace {

void append_json_escape(std::string& out, std::uint32_t c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: out += "\\u"; append_hex(out, c, 4);
  }
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
  out += '"';
  std::size_t done = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const char byte = text[at];
    if (byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\') {
      ++at;
      continue;
    }
    const Utf8Character c = utf8_at(text, at);
    const bool escape = c.valid && (c.value < 0xA0 || is_invisible(c.value));
    if (c.valid && !escape) {
      at += c.size;
      continue;
    }
    out.append(text, done, at - done);
    if (escape) {
      append_json_escape(out, c.value);
    } else {
      out += "\xEF\xBF\xBD";
    }
    at += c.size;
    done = at;
  }
  out.append(text, done);
  out += '"';
}

std::string harmless_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const Utf8Character c = utf8_at(json, at);
    if ((c.value >= 0x7F && c.value < 0xA0) || is_invisible(c.value)) {
      append_json_escape(out, c.value);
    } else {
      out.append(json, at, c.size);
    }
    at += c.size;
  }
  return out;
}

}  // namespace robotrules::base
