// The plain twin of compare(): for each robot, it asks both files about every example path that it can make.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <robotrules/compare.hpp>

namespace robotrules::test {

using Deciders = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // lines that decide, before and after
using DecidersByRobot = std::map<std::string, Deciders>;             // "": the robots that neither file names

// Returns the differences by robot. Robots without differences are left out.
DecidersByRobot plain_compare(const RobotsTxt& before, const RobotsTxt& after);

// Returns the differences that compare() has found, in the same form.
DecidersByRobot deciders_in(const Difference& difference);

}  // namespace robotrules::test
