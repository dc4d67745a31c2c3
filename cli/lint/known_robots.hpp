// The robots that lint knows by name.
#pragma once

#include <vector>

#include <robotrules/robots_txt.hpp>

#include "cli/agents/crawlers.hpp"

namespace robotrules::cli {

// Returns the crawlers of a list; by default that which is built into the command (data/crawlers.json).
std::vector<KnownRobot> known_robots(const Crawlers& list = read_crawlers(known_crawlers()));

}  // namespace robotrules::cli
