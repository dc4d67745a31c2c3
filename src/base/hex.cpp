#include "base/hex.hpp"

namespace robotrules::base {

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789ABCDEF"[value >> shift & 0xF];
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

void append_percent(std::string& out, char byte) {
  out += '%';
  append_hex(out, static_cast<unsigned char>(byte), 2);
}

std::string decoded_escapes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int byte = escaped_byte(text.substr(i));
    out += byte < 0 ? text[i] : static_cast<char>(byte);
    if (byte >= 0) i += 2;
  }
  return out;
}

std::optional<std::string> decoded_whole_escapes(std::string_view text) {
  for (auto at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 3)) {
    if (escaped_byte(text.substr(at)) < 0) return std::nullopt;
  }
  return decoded_escapes(text);
}

}  // namespace robotrules::base
