// The whole file: groups, rules, sitemaps, everything else, and what is odd in it.
#include <iostream>

#include <robotrules/core.hpp>
#include <robotrules/diagnose.hpp>

constexpr const char* body = R"(User-agent: FooBot
User-agent: BarBot
Disallow: /search
Allow: /search/help
Crawl-delay: 2

User-agent: *
Disalow: /drafts/
Sitemap: /sitemap.xml
)";

int main() {
  const auto file =
      robotrules::RobotsTxt::parse(body, robotrules::Dialect::rfc9309(), "https://example.org/robots.txt");

  for (const auto& group : file.groups()) {
    std::cout << "group at line " << group.line << ", for";
    for (const auto& agent : group.agents) std::cout << ' ' << agent.value;
    std::cout << '\n';
    for (const auto& rule : group.rules) std::cout << "  " << to_string(rule.kind) << ' ' << rule.value << '\n';
    for (const auto& line : group.other) std::cout << "  (" << line.name << ' ' << line.value << ")\n";
  }
  for (const auto& sitemap : file.sitemaps()) std::cout << "sitemap " << sitemap.url << '\n';
  for (const auto& found : robotrules::diagnose(file)) {
    std::cout << found.line << ':' << found.column << ' ' << to_string(found.severity) << ' ' << found.code << '\n';
  }

  // A verdict says why, and which rule it had to beat.
  const auto rules = file.rules_for("FooBot");
  const auto verdict = rules.check("https://example.org/search/help");
  std::cout << verdict.rule()->text() << " (line " << verdict.line() << ") beats " << verdict.runner_up()->text()
            << '\n';
  std::cout << "wait " << rules.crawl_delay()->count() << " ms between pages\n";
}
