#include <robotrules/page_rules.hpp>
#include <robotrules/response.hpp>

#include "agent/parse/content_type.hpp"
#include "agent/parse/to_utf8.hpp"

namespace robotrules {

PageRules page_rules_of(const Response& page, std::string_view agent) {
  std::vector<std::string_view> values = page.headers.all("X-Robots-Tag");
  for (const std::string_view value : page.headers.all("Robots-Tag")) values.push_back(value);
  PageRules rules = read_x_robots_tag(values, agent);
  const agent::ContentType type = agent::parse_content_type(page.headers.get("Content-Type").value_or(""));
  if (page.body.empty() || !type.is_html()) return rules;
  const agent::Utf8Text html = agent::to_utf8(page.body, agent::find_charset(page.body, type));
  return combine(rules, read_robots_meta(html.text, agent));
}

}  // namespace robotrules
