#include <robotrules/page.hpp>

#include "page/html_of.hpp"

namespace robotrules {

PageRules page_rules_of(const Response& page, std::string_view agent) {
  std::vector<std::string_view> values = page.headers.all("X-Robots-Tag");
  for (const std::string_view value : page.headers.all("Robots-Tag")) values.push_back(value);
  PageRules rules = read_x_robots_tag(values, agent);
  const std::string html = agent::html_of(page);
  rules.body_unread = agent::lacks_html(page);
  return html.empty() ? rules : combine(rules, read_robots_meta(html, agent));
}

}  // namespace robotrules
