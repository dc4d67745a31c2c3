#include <algorithm>

#include "base/ascii.hpp"
#include "http/charset/to_utf8.hpp"
#include "page/html_head.hpp"

namespace robotrules::agent {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t looked_at = 1024;

std::string_view by_mark(std::string_view octets) noexcept {
  if (octets.starts_with("\xEF\xBB\xBF")) return "utf-8";
  if (octets.starts_with("\xFF\xFE\0\0"sv)) return "utf-32le";
  if (octets.starts_with("\0\0\xFE\xFF"sv)) return "utf-32be";
  if (octets.starts_with("\xFF\xFE")) return "utf-16le";
  if (octets.starts_with("\xFE\xFF")) return "utf-16be";
  return {};
}

// A text whose first character is ASCII, by where its zeros are.
std::string_view by_zeros(std::string_view octets) noexcept {
  if (octets.size() < 4) return {};
  const auto zero = [octets](std::size_t i) { return octets[i] == '\0'; };
  if (zero(0) && zero(1) && zero(2) && !zero(3)) return "utf-32be";
  if (!zero(0) && zero(1) && zero(2) && zero(3)) return "utf-32le";
  if (zero(0) && !zero(1) && zero(2)) return "utf-16be";
  if (!zero(0) && zero(1) && !zero(2)) return "utf-16le";
  return {};
}

// <?xml version="1.0" encoding="...">
std::string_view by_xml_declaration(std::string_view octets) noexcept {
  octets = base::trimmed(octets.substr(0, looked_at));
  if (!octets.starts_with("<?xml")) return {};
  octets = octets.substr(0, octets.find("?>"));
  std::size_t at = octets.find("encoding");
  if (at == std::string_view::npos) return {};
  at = octets.find_first_not_of(" \t\r\n", at + 8);
  if (at == std::string_view::npos || octets[at] != '=') return {};
  at = octets.find_first_not_of(" \t\r\n", at + 1);
  if (at == std::string_view::npos || (octets[at] != '"' && octets[at] != '\'')) return {};
  const std::size_t end = octets.find(octets[at], at + 1);
  return end == std::string_view::npos ? std::string_view() : known_charset(octets.substr(at + 1, end - at - 1));
}

std::string_view by_meta(std::string_view octets) {
  const std::string_view found = known_charset(read_html_head(octets.substr(0, looked_at)).charset);
  // Octets in which a meta element could be read are no UTF-16: HTML's "prescan a byte stream".
  return found.starts_with("utf-16") || found.starts_with("utf-32") ? std::string_view("utf-8") : found;
}

}  // namespace

std::string_view find_charset(std::string_view octets, const ContentType& type) {
  if (const std::string_view named = known_charset(type.charset); !named.empty()) return named;
  if (const std::string_view marked = by_mark(octets); !marked.empty()) return marked;
  std::string_view found;
  if (type.is_xml()) {
    found = by_zeros(octets);
    if (found.empty()) found = by_xml_declaration(octets);
    if (found.empty()) found = "utf-8";
  }
  if (found.empty() && type.is_html()) found = by_meta(octets);
  if (found.empty() && type.type == "application/json") {
    found = by_zeros(octets);
    if (found.empty()) found = "utf-8";
  }
  return found.empty() ? known_charset(to_utf8(octets, {}).charset) : found;
}

}  // namespace robotrules::agent
