// Small questions about bytes, free of the locale. Private to the oracle.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::oracle {

inline unsigned char byte(char c) { return static_cast<unsigned char>(c); }

inline bool is_space(char c, bool nul_is_space) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r' || (nul_is_space && c == '\0');
}

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

inline std::string trim(std::string_view text, bool nul_is_space) {
  while (!text.empty() && is_space(text.front(), nul_is_space)) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back(), nul_is_space)) text.remove_suffix(1);
  return std::string(text);
}

}  // namespace robotrules::oracle
