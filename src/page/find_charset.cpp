#include <algorithm>

#include "base/ascii.hpp"
#include "http/charset/to_utf8.hpp"
#include "page/html_head.hpp"

namespace robotrules::agent {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t max_prescan = 1024;

std::string_view by_mark(std::string_view bytes) noexcept {
  if (bytes.starts_with("\xEF\xBB\xBF")) return "utf-8";
  if (bytes.starts_with("\xFF\xFE\0\0"sv)) return "utf-32le";
  if (bytes.starts_with("\0\0\xFE\xFF"sv)) return "utf-32be";
  if (bytes.starts_with("\xFF\xFE")) return "utf-16le";
  if (bytes.starts_with("\xFE\xFF")) return "utf-16be";
  return {};
}

// Returns the charset of a text that starts with an ASCII character, by the positions of its NULs.
std::string_view by_zeros(std::string_view bytes) noexcept {
  if (bytes.size() < 4) return {};
  const auto zero = [bytes](std::size_t i) { return bytes[i] == '\0'; };
  if (zero(0) && zero(1) && zero(2) && !zero(3)) return "utf-32be";
  if (!zero(0) && zero(1) && zero(2) && zero(3)) return "utf-32le";
  if (zero(0) && !zero(1) && zero(2)) return "utf-16be";
  if (!zero(0) && zero(1) && !zero(2)) return "utf-16le";
  return {};
}

// Returns the charset in <?xml version="1.0" encoding="...">.
std::string_view by_xml_declaration(std::string_view bytes) noexcept {
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
  return end == std::string_view::npos ? std::string_view() : known_charset(bytes.substr(at + 1, end - at - 1));
}

std::string_view by_meta(std::string_view bytes) {
  const std::string_view found = known_charset(read_html_head(bytes.substr(0, max_prescan)).charset);
  // If a meta element can be read in the bytes, they are not UTF-16: HTML's "prescan a byte stream".
  return found.starts_with("utf-16") || found.starts_with("utf-32") ? std::string_view("utf-8") : found;
}

}  // namespace

std::string_view find_charset(std::string_view bytes, const ContentType& type) {
  if (const std::string_view named = known_charset(type.charset); !named.empty()) return named;
  if (const std::string_view marked = by_mark(bytes); !marked.empty()) return marked;
  std::string_view found;
  if (type.is_xml()) {
    found = by_zeros(bytes);
    if (found.empty()) found = by_xml_declaration(bytes);
    if (found.empty()) found = "utf-8";
  }
  if (found.empty() && type.is_html()) found = by_meta(bytes);
  if (found.empty() && type.type == "application/json") {
    found = by_zeros(bytes);
    if (found.empty()) found = "utf-8";
  }
  return found.empty() ? known_charset(to_utf8(bytes, {}).charset) : found;
}

}  // namespace robotrules::agent
