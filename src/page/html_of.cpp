#include "page/html_of.hpp"

#include "charset/to_utf8.hpp"
#include "fields/content_type.hpp"
#include "page/find_charset.hpp"
#include "page/head_markup.hpp"

namespace robotrules::agent {
namespace {

ContentType type_of(const Response& page) { return parse_content_type(page.headers.get("Content-Type").value_or("")); }

}  // namespace

bool lacks_html(const Response& page) { return page.body.empty() && page.body_size > 0 && type_of(page).is_html(); }

std::string html_of(const Response& page) {
  const ContentType type = type_of(page);
  if (page.body.empty() || !type.is_html()) return {};
  return to_utf8(page.body, find_charset(page.body, type), HeadLimits{}.document).text;
}

}  // namespace robotrules::agent
