// Which robots does a change of robots.txt affect, and which rules decide before and after it?
#include <iostream>

#include <robotrules/compare.hpp>

namespace {

void print(const char* when, const robotrules::PathAnswer& answer) {
  std::cout << "    " << when << ": " << answer.access;
  if (answer.line != 0) std::cout << " by line " << answer.line << ", " << answer.rule;
  std::cout << '\n';
}

}  // namespace

int main() {
  const auto before = robotrules::RobotsTxt::parse(
      "User-agent: *\nDisallow: /search\n\n"
      "User-agent: NewsBot\nDisallow: /archive/\n");
  const auto after = robotrules::RobotsTxt::parse(
      "User-agent: *\nDisallow: /search\nDisallow: /*.pdf$\n\n"
      "User-agent: NewsBot\nDisallow: /archive/\nCrawl-delay: 5\n\n"
      "User-agent: TrainBot\nDisallow: /\n");
  const auto difference = robotrules::compare(before, after);
  for (const auto& robot : difference.robots) {
    if (robot.others) std::cout << "every other robot\n";
    for (const auto& agent : robot.agents) std::cout << agent << '\n';
    for (const auto& change : robot.changes) {
      std::cout << "  " << change.path << '\n';
      print("before", change.before);
      print("after", change.after);
    }
    if (robot.delay_after && !robot.delay_before) {
      std::cout << "  waits " << robot.delay_after->count() << " ms between requests\n";
    }
  }
  std::cout << difference.robots_asked << " robots compared\n";
}
