// Any bytes as a robots.txt, under every preset: the document holds together, and the two ways to Rules agree.
//
// Input: a byte for the dialect, the agent up to LF, the URL up to LF, the file.
#include <functional>
#include <string>
#include <vector>

#include <robotrules/core.hpp>

#include "input.hpp"

namespace robotrules::fuzz {
namespace {

bool inside(std::string_view part, std::string_view whole) {
  const std::less_equal<const char*> before;
  return part.empty() ||
         (before(whole.data(), part.data()) && before(part.data() + part.size(), whole.data() + whole.size()));
}

void look_at_directives(const RobotsTxt& file) {
  std::uint32_t line = 1;
  std::int32_t group = -1;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive found = file.directive(i);
    require(found.line >= line && found.line <= file.line_count(), "lines ascend and lie in the file");
    require(found.group >= -1 && found.group < static_cast<std::int32_t>(file.group_count()), "groups exist");
    require(found.group == -1 || found.group >= group, "groups ascend");
    require(found.column >= 1 && found.value_column > 0, "columns count from 1");
    require(inside(found.name, file.text()) && inside(found.value, file.text()), "names and values lie in the text");
    line = found.line;
    if (found.group != -1) group = found.group;
  }
}

void look_at_groups(const RobotsTxt& file) {
  const auto groups = file.groups();
  require(groups.size() == file.group_count(), "groups() gives group_count() groups");
  std::size_t lines = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Group one = file.group(i);
    require(one.line == groups[i].line && one.agents.size() == groups[i].agents.size() &&
                one.rules.size() == groups[i].rules.size() && one.other.size() == groups[i].other.size(),
            "group() and groups() agree");
    lines += one.agents.size() + one.rules.size() + one.other.size();
    require(one.line >= 1 && one.line <= file.line_count(), "groups begin in the file");
  }
  require(lines <= file.size(), "a directive stands in one group");
  for (const Sitemap& sitemap : file.sitemaps())
    require(inside(sitemap.value, file.text()), "sitemaps lie in the text");
}

void compare(const Rules& compiled, const Rules& by_document, std::string_view url) {
  const Verdict a = compiled.check(url);
  const Verdict b = by_document.check(url);
  require(a.access() == b.access() && a.why() == b.why() && a.line() == b.line(), "compile() and rules_for() agree");
  require(a.access() != Access::unknown, "rules always know");
  require(a.rule().has_value() == (a.why() == Why::rule), "a rule where a rule decided");
  require(a.runner_up().has_value() == b.runner_up().has_value(), "and on the runner-up");
  if (const auto rule = a.rule()) {
    require(rule->line == a.line() && rule->pattern == b.rule()->pattern, "and on the pattern");
    require(!rule->text().empty(), "rules have a text");
  }
  require(a.group().line == b.group().line && a.group().agent == b.group().agent, "and on the group");
  for (const char c : a.explanation()) require((c < 0 || c >= 32) && c != 127, "explanations hold no controls");
  require(compiled.usage(url) == by_document.usage(url), "and on the usage");
  const std::string cleaned = compiled.apply_clean_param(url);
  require(cleaned == by_document.apply_clean_param(url) && cleaned.size() <= url.size(), "and on the cleaned URL");
}

}  // namespace
}  // namespace robotrules::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robotrules;
  using namespace robotrules::fuzz;
  Input input(data, size);
  const Dialect dialect = dialect_of(input.byte());
  const std::string_view agent = input.line();
  const std::string_view url = input.line();
  const std::string_view robots = input.rest();
  constexpr std::string_view robots_url = "https://foo.example/robots.txt";

  const RobotsTxt file = RobotsTxt::parse(robots, dialect, robots_url);
  require(dialect.file_limit == 0 || file.truncated() || robots.size() <= 3 * dialect.file_limit, "the limit holds");
  if (dialect.file_limit != 0 && !file.truncated()) require(file.text().size() <= 2 * robots.size(), "text is bounded");
  look_at_directives(file);
  look_at_groups(file);

  const Rules compiled = Rules::compile(robots, agent, dialect, robots_url);
  const Rules by_document = file.rules_for(agent);
  require(compiled.size() == by_document.size(), "as many rules either way");
  require(compiled.crawl_delay() == by_document.crawl_delay() &&
              compiled.request_rate() == by_document.request_rate() &&
              compiled.visit_time() == by_document.visit_time(),
          "the same delays either way");
  const std::vector<RuleLine> rules = compiled.lines();
  require(rules.size() <= compiled.size() && rules.size() == by_document.lines().size(), "the same lists either way");
  for (const RuleLine& rule : rules)
    require(rule.line >= 1 && rule.line <= file.line_count(), "rules stand in the file");
  compare(compiled, by_document, url);
  compare(compiled, by_document, "https://foo.example/robots.txt");
  std::string from_file = "https://foo.example";
  for (std::size_t i = 0, asked = 0; i < file.size() && asked < 3; ++i) {
    const Directive found = file.directive(i);
    if (found.kind != DirectiveKind::allow && found.kind != DirectiveKind::disallow) continue;
    compare(compiled, by_document, found.value);
    from_file.resize(19);
    from_file += found.value;
    compare(compiled, by_document, from_file);
    ++asked;
  }
  static_cast<void>(product_tokens(agent));
  const std::string_view name = robot_name(agent);
  require(name.empty() || is_robot_name(name), "what is found in a header can be named");
  static_cast<void>(Origin::of(url));
  return 0;
}
