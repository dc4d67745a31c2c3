#include "cli/lint/known_robots.hpp"

#include "cli/agents/crawlers.hpp"

namespace robotrules::cli {

std::vector<KnownRobot> known_robots() {
  std::vector<KnownRobot> robots;
  for (const Crawler& crawler : read_crawlers(known_crawlers()).crawlers) {
    const KnownRobot::Kind kind = crawler.purpose == "search"          ? KnownRobot::Kind::search
                                  : crawler.purpose.starts_with("ai-") ? KnownRobot::Kind::ai
                                                                       : KnownRobot::Kind::other;
    robots.push_back({.name = crawler.name, .kind = kind});
  }
  return robots;
}

}  // namespace robotrules::cli
