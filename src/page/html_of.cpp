#include "page/html_of.hpp"

#include "http/charset/to_utf8.hpp"
#include "http/fields/content_type.hpp"
#include "page/head_markup.hpp"

namespace robotrules::agent {

std::string html_of(const Response& page) {
  const ContentType type = parse_content_type(page.headers.get("Content-Type").value_or(""));
  if (page.body.empty() || !type.is_html()) return {};
  return to_utf8(page.body, find_charset(page.body, type), HeadLimits{}.document).text;
}

}  // namespace robotrules::agent
