// The same for what a page says about itself.
#include <iostream>

#include <robotrules/page.hpp>

int main() {
  const auto rules = robotrules::read_robots_meta("<meta name=robots content=noindex>", "FooBot");
  std::cout << (rules.noindex ? "disallowed to index" : "indexed") << '\n';
  return rules.noindex ? 0 : 1;
}
