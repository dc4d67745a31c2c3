// A program of a user of the package: the core answers.
#include <iostream>

#include <robotrules/core.hpp>

int main() {
  const auto rules = robotrules::Rules::compile("User-agent: *\nDisallow: /private/\n", "FooBot");
  const bool right = rules.check("/open").allowed() && !rules.check("/private/x").allowed();
  std::cout << (right ? "robotrules answers as it must\n" : "robotrules answers wrongly\n");
  return right ? 0 : 1;
}
