// Octets of a stranger's file, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::core {

// `text` with every octet that is not printable ASCII, and the backslash, written as \xNN; cut behind `limit` octets of
// `text` (marked by "..."), 0: not cut.
inline std::string escaped(std::string_view text, std::size_t limit = 0) {
  constexpr char hex[] = "0123456789ABCDEF";
  const bool cut = limit != 0 && text.size() > limit;
  if (cut) text = text.substr(0, limit);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (octet < 0x20 || octet >= 0x7F || octet == '\\') {
      out += "\\x";
      out += hex[octet >> 4];
      out += hex[octet & 15];
    } else {
      out += c;
    }
  }
  if (cut) out += "...";
  return out;
}

}  // namespace robotrules::core
