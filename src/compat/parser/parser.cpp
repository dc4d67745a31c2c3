#include <robotrules/compat/robotstxt.hpp>

#include <utility>

namespace robotrules::robotstxt_parser {

Parser::Parser(std::string_view robots_txt, std::string_view user_agent, const Dialect& dialect)
    : robots_txt_(RobotsTxt::parse(robots_txt, dialect)), rules_(robots_txt_.rules_for(user_agent)) {}

Parser::Parser(std::string_view robots_txt, std::string_view user_agent, const Dialect& dialect, Fetch fetch)
    : Parser(robots_txt, user_agent, dialect) {
  fetch_ = std::make_shared<const Fetch>(std::move(fetch));
}

std::vector<std::string> Parser::sitemaps() const {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < robots_txt_.size(); ++i) {
    const Directive line = robots_txt_.directive(i);
    if (line.kind == DirectiveKind::sitemap) values.emplace_back(line.value);
  }
  return values;
}

Parser parse(std::string_view robots_txt, std::string_view user_agent, const Dialect& dialect) {
  return {robots_txt, user_agent, dialect};
}

}  // namespace robotrules::robotstxt_parser
