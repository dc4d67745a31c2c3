// The robots that lint knows by name.
#pragma once

#include <vector>

#include <robotrules/robots_txt.hpp>

namespace robotrules::cli {

// Returns the crawlers of the list that is built into the command (data/crawlers.json).
std::vector<KnownRobot> known_robots();

}  // namespace robotrules::cli
