// The same for the database of rules.
#include <iostream>

#include <robotrules/robot_rules.hpp>

int main() {
  robotrules::RobotRules rules("FooBot/1.0");
  if (!rules.parse("https://example.org/robots.txt", "User-agent: FooBot\nDisallow: /private\n")) return 2;
  const auto access = rules.allowed("https://example.org/private/page");
  std::cout << to_string(access) << '\n';
  return access == robotrules::Access::disallowed ? 0 : 1;
}
