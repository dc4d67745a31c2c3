#include "charset/named_charset.hpp"

#include "base/ascii.hpp"
#include "charset/to_utf8.hpp"

namespace robotrules::agent {

using namespace std::string_view_literals;

std::string_view charset_of_mark(std::string_view bytes) noexcept {
  if (bytes.starts_with("\xEF\xBB\xBF")) return "utf-8";
  if (bytes.starts_with("\xFF\xFE\0\0"sv)) return "utf-32le";
  if (bytes.starts_with("\0\0\xFE\xFF"sv)) return "utf-32be";
  if (bytes.starts_with("\xFF\xFE")) return "utf-16le";
  if (bytes.starts_with("\xFE\xFF")) return "utf-16be";
  return {};
}

std::string_view charset_of_zeros(std::string_view bytes) noexcept {
  if (bytes.size() < 4) return {};
  const auto zero = [bytes](std::size_t i) { return bytes[i] == '\0'; };
  if (zero(0) && zero(1) && zero(2) && !zero(3)) return "utf-32be";
  if (!zero(0) && zero(1) && zero(2) && zero(3)) return "utf-32le";
  if (zero(0) && !zero(1) && zero(2)) return "utf-16be";
  if (!zero(0) && zero(1) && !zero(2)) return "utf-16le";
  return {};
}

std::string_view charset_of_declaration(std::string_view bytes) noexcept {
  bytes = base::trimmed(bytes.substr(0, max_prescan));
  if (!bytes.starts_with("<?xml")) return {};
  bytes = bytes.substr(0, bytes.find("?>"));
  std::size_t at = bytes.find("encoding");
  if (at == std::string_view::npos) return {};
  at = bytes.find_first_not_of(" \t\r\n", at + 8);
  if (at == std::string_view::npos || bytes[at] != '=') return {};
  at = bytes.find_first_not_of(" \t\r\n", at + 1);
  if (at == std::string_view::npos || (bytes[at] != '"' && bytes[at] != '\'')) return {};
  const std::size_t end = bytes.find(bytes[at], at + 1);
  if (end == std::string_view::npos) return {};
  const std::string_view found = known_charset(bytes.substr(at + 1, end - at - 1));
  return is_wide(found) ? std::string_view("utf-8") : found;
}

}  // namespace robotrules::agent
