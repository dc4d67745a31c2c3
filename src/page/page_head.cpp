#include <robotrules/message.hpp>
#include <robotrules/page.hpp>

#include <utility>

#include "page/html_head.hpp"
#include "page/html_of.hpp"
#include "url/url.hpp"

namespace robotrules {

PageHead read_page_head(std::string_view html) {
  agent::HtmlHead read = agent::read_html_head(html);
  PageHead head;
  head.title = std::move(read.title);
  head.base = std::move(read.base).value_or("");
  for (const agent::HtmlField& field : read.fields) head.fields.add(field.name, field.value);
  return head;
}

PageHead page_head_of(const Response& page) {
  PageHead head = read_page_head(agent::html_of(page));
  const std::string written = std::exchange(head.base, page.as_found());
  constexpr std::size_t max_url_bytes = 8'192;
  const auto own = agent::read_url(head.base, max_url_bytes);
  if (written.empty() || !own) return head;
  if (const auto base = agent::resolve_url(own.value(), written, max_url_bytes)) head.base = base.value().as_found();
  return head;
}

}  // namespace robotrules
