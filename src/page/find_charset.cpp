#include "page/find_charset.hpp"

#include "charset/named_charset.hpp"
#include "charset/to_utf8.hpp"
#include "page/html_head.hpp"

namespace robotrules::agent {
namespace {

std::string_view by_meta(std::string_view bytes) {
  const std::string_view found = known_charset(read_html_head(bytes.substr(0, max_prescan)).charset);
  // If a meta element can be read in the bytes, they are not UTF-16: HTML's "prescan a byte stream".
  return is_wide(found) ? std::string_view("utf-8") : found;
}

}  // namespace

std::string_view find_charset(std::string_view bytes, const ContentType& type) {
  if (const std::string_view named = known_charset(type.charset); !named.empty()) return named;
  if (const std::string_view marked = charset_of_mark(bytes); !marked.empty()) return marked;
  std::string_view found;
  if (type.is_xml()) {
    found = charset_of_zeros(bytes);
    if (found.empty()) found = charset_of_declaration(bytes);
    if (found.empty()) found = "utf-8";
  }
  if (found.empty() && type.is_html()) found = by_meta(bytes);
  if (found.empty() && type.type == "application/json") {
    found = charset_of_zeros(bytes);
    if (found.empty()) found = "utf-8";
  }
  return found.empty() ? known_charset(to_utf8(bytes, {}).charset) : found;
}

}  // namespace robotrules::agent
