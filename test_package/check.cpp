// A program of a user of the package: the core answers, and so does its advice.
#include <iostream>

#include <robotrules/core.hpp>
#include <robotrules/diagnose.hpp>

int main() {
  const auto rules = robotrules::Rules::compile("User-agent: *\nDisallow: /private/\n", "FooBot");
  const auto file = robotrules::RobotsTxt::parse("Disalow: /private/\n");
  const bool right = rules.check("/open").allowed() && !rules.check("/private/x").allowed() &&
                     !robotrules::diagnose(file).empty();
  std::cout << (right ? "robotrules answers as it must\n" : "robotrules answers wrongly\n");
  return right ? 0 : 1;
}
