#include "cli/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>

#include <simdjson.h>

namespace robotrules::cli {
namespace {

// One character of UTF-8, or (`valid` false) the octets that stand for none: they become one U+FFFD.
struct Scalar {
  char32_t value = 0;
  std::size_t length = 1;
  bool valid = false;
};

Scalar decode(std::string_view text) noexcept {
  const auto octet = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = octet(0);
  if (first < 0x80) return {first, 1, true};
  if (first < 0xC2 || first > 0xF4) return {};
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  // The second octet is what keeps out overlong forms, surrogates and numbers above 10FFFF.
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  char32_t value = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size() || octet(i) < low || octet(i) > high) return {0, i, false};
    value = (value << 6) | (octet(i) & 0x3Fu);
    low = 0x80;
    high = 0xBF;
  }
  return {value, length, true};
}

// Characters that show nothing and change how others are shown: marks of direction and their overrides, separators of
// lines and paragraphs, the space and the no-break space without width.
constexpr bool is_invisible(char32_t c) noexcept {
  return c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}
constexpr bool is_plain(unsigned char c) noexcept { return c >= 0x20 && c < 0x7F; }

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789ABCDEF"[(value >> shift) & 0xF];
}

void append_json_escape(std::string& out, char32_t c) {
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

constexpr std::string_view base64_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr auto base64_values = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(0xFF);
  for (std::size_t i = 0; i < base64_alphabet.size(); ++i) {
    values[static_cast<unsigned char>(base64_alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

}  // namespace

bool is_utf8(std::string_view octets) noexcept { return simdjson::validate_utf8(octets.data(), octets.size()); }

void append_json(std::string& out, std::string_view octets) {
  out += '"';
  std::size_t done = 0;
  std::size_t at = 0;
  while (at < octets.size()) {
    const auto c = static_cast<unsigned char>(octets[at]);
    if (is_plain(c) && c != '"' && c != '\\') {
      ++at;
      continue;
    }
    const Scalar scalar = decode(octets.substr(at));
    const bool escape = scalar.valid && (scalar.value < 0xA0 || is_invisible(scalar.value));
    if (scalar.valid && !escape) {
      at += scalar.length;
      continue;
    }
    out.append(octets, done, at - done);
    if (escape) {
      append_json_escape(out, scalar.value);
    } else {
      out += "\xEF\xBF\xBD";
    }
    at += scalar.length;
    done = at;
  }
  out.append(octets, done);
  out += '"';
}

std::string harmless_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const Scalar scalar = decode(json.substr(at));
    if ((scalar.value >= 0x7F && scalar.value < 0xA0) || is_invisible(scalar.value)) {
      append_json_escape(out, scalar.value);
    } else {
      out.append(json, at, scalar.length);
    }
    at += scalar.length;
  }
  return out;
}

std::string printable(std::string_view octets) {
  std::string out;
  out.reserve(octets.size());
  while (!octets.empty()) {
    const Scalar scalar = decode(octets);
    if (!scalar.valid || scalar.value < 0x20 || (scalar.value >= 0x7F && scalar.value < 0xA0)) {
      for (const char c : octets.substr(0, scalar.length)) {
        out += "\\x";
        append_hex(out, static_cast<unsigned char>(c), 2);
      }
    } else if (is_invisible(scalar.value)) {
      out += "\\u";
      append_hex(out, scalar.value, 4);
    } else {
      out.append(octets, 0, scalar.length);
    }
    octets.remove_prefix(scalar.length);
  }
  return out;
}

std::string without_userinfo(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  const std::size_t host = scheme + 3;
  const std::string_view authority = url.substr(host, url.find_first_of("/?#", host) - host);
  const std::size_t at = authority.rfind('@');
  std::string out(url);
  if (at != std::string_view::npos) out.erase(host, at + 1);
  return out;
}

std::string printable_url(std::string_view url) { return printable(without_userinfo(url)); }

std::string counted(std::size_t number, std::string_view what) {
  return std::to_string(number) + " " + std::string(what) + (number == 1 ? "" : "s");
}

std::string error_text(int error) { return std::generic_category().message(error); }

std::string base64(std::string_view octets) {
  std::string out;
  out.reserve((octets.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < octets.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = (bits << 8) | (i + k < octets.size() ? static_cast<unsigned char>(octets[i + k]) : 0u);
    }
    const std::size_t digits = std::min<std::size_t>(octets.size() - i, 3) + 1;
    for (std::size_t k = 0; k < 4; ++k) out += k < digits ? base64_alphabet[(bits >> (18 - 6 * k)) & 0x3F] : '=';
  }
  return out;
}

bool decode_base64(std::string_view text, std::string& out) {
  out.clear();
  if (text.size() % 4 == 0) {
    for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  }
  if (text.size() % 4 == 1) return false;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::uint8_t value = base64_values[static_cast<unsigned char>(c)];
    if (value == 0xFF) return false;
    bits = (bits << 6) | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += static_cast<char>((bits >> held) & 0xFF);
    }
  }
  return true;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  constexpr auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  if (a.size() > 64 || b.size() > 64) return 64;  // only short words are compared
  std::array<std::array<std::uint8_t, 65>, 65> table;
  for (std::size_t i = 0; i <= a.size(); ++i) table[i][0] = static_cast<std::uint8_t>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) table[0][j] = static_cast<std::uint8_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      int best = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        best = std::min(best, table[i - 2][j - 2] + 1);
      }
      table[i][j] = static_cast<std::uint8_t>(best);
    }
  }
  return table[a.size()][b.size()];
}

}  // namespace robotrules::cli
