// The same for the agent, which must not go online to say so.
#include <iostream>
#include <memory>

#include <robotrules/robot_ua.hpp>

int main() {
  auto rules = std::make_shared<robotrules::RobotRules>("FooBot");
  if (!rules->parse("https://example.org/robots.txt", "User-agent: FooBot\nDisallow: /private\n")) return 2;
  auto ua = robotrules::RobotUA::make("FooBot/1.0", "me@example.org", rules);
  if (!ua) return 2;
  const robotrules::Response page = ua.value().get("https://example.org/private/page");
  const auto access = ua.value().allowed("https://example.org/private/page");
  std::cout << to_string(access) << ": " << page.status_line() << '\n';
  return access == robotrules::Access::disallowed && page.code == 403 ? 0 : 1;
}
