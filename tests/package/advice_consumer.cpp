// The same for the owner of a file: what is wrong with it, and what a change does.
#include <iostream>

#include <robotrules/compare.hpp>
#include <robotrules/diagnose.hpp>

int main() {
  const auto before = robotrules::RobotsTxt::parse("User-agent: *\nDisalow: /drafts/\n");
  const auto after = robotrules::RobotsTxt::parse("User-agent: *\nDisallow: /drafts/\nDisallow: /private/\n");
  const auto findings = robotrules::diagnose(before);
  for (const auto& found : findings) std::cout << found.line << ": " << found.message << '\n';
  const auto robots = robotrules::compare(before, after).robots;
  for (const auto& robot : robots) {
    for (const auto& change : robot.changes) std::cout << change.path << " is now " << change.after.access << '\n';
  }
  return findings.empty() || robots.empty() ? 1 : 0;
}
