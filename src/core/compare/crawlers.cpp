#include "cli/lint/known_robots.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace robotrules::cli {
namespace {

constexpr std::string_view ai_kinds[] = {"training", "ai-search", "policy-token"};

}  // namespace

std::vector<KnownRobot> known_robots(const Crawlers& list) {
  std::vector<KnownRobot> robots;
  for (const Crawler& crawler : list.crawlers) {
    const bool is_ai = std::ranges::find(ai_kinds, crawler.kind) != std::end(ai_kinds);
    const KnownRobot::Kind kind = crawler.kind == "search" ? KnownRobot::Kind::search
                                  : is_ai                  ? KnownRobot::Kind::ai
                                                           : KnownRobot::Kind::other;
    robots.push_back({.name = crawler.name, .kind = kind, .agent = crawler.agent});
  }
  return robots;
}

}  // namespace robotrules::cli
