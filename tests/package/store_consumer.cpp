// The same for the database of rules and the queue of a crawl, whose URLs may have fields of their own.
#include <iostream>

#include <robotrules/robot_rules.hpp>
#include <robotrules/url_queue.hpp>

int main() {
  robotrules::RobotRules rules("FooBot/1.0");
  if (!rules.parse("https://example.org/robots.txt", "User-agent: FooBot\nDisallow: /private\n")) return 2;
  const auto access = rules.allowed("https://example.org/private/page");
  robotrules::QueuedUrl page{.url = "https://example.org/private/page"};
  page.headers.set("Accept-Language", "de");
  std::cout << access << " in " << page.headers.get("accept-language").value_or("no language") << '\n';
  return access == robotrules::Access::disallowed && page.headers.is_sendable() ? 0 : 1;
}
