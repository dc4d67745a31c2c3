// One file, two readings: dialects differ over percent-encoding, misspellings and /robots.txt itself.
#include <iostream>

#include <robotrules/core.hpp>

int main() {
  constexpr const char* body = "User-agent: *\nDisallow: /~joe/\nDisallow: /robots.txt\n";
  for (const auto* name : {"rfc9309", "google"}) {
    const auto* dialect = robotrules::Dialect::find(name);
    if (dialect == nullptr) return 1;
    const auto rules = robotrules::Rules::compile(body, "FooBot", *dialect);
    for (const auto* url : {"/~joe/", "/%7Ejoe/", "/robots.txt"}) {
      std::cout << name << ": " << url << ' ' << to_string(rules.check(url).access()) << '\n';
    }
  }

  // A dialect is a plain struct: take a preset and change one choice.
  auto mine = robotrules::Dialect::rfc9309();
  mine.name = "mine";
  mine.robots_txt_allowed = false;
  const auto rules = robotrules::Rules::compile(body, "FooBot", mine);
  std::cout << mine.name << ": /robots.txt " << to_string(rules.check("/robots.txt").access()) << '\n';
}
