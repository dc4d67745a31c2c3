// The shortest useful program: may this robot fetch this page?
#include <iostream>

#include <robotrules/core.hpp>

int main() {
  const auto rules = robotrules::Rules::compile("User-agent: *\nDisallow: /private/\nAllow: /private/map\n", "FooBot");
  for (const auto* url : {"https://example.org/", "https://example.org/private/diary", "/private/map?zoom=2"}) {
    std::cout << to_string(rules.check(url).access()) << ' ' << url << '\n';
  }
}
