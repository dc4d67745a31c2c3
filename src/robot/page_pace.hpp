// The pace for the pages of a site, from the settings and its robots.txt, as pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/robot_ua.hpp>
#include <robotrules/rules.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// Returns the request to the gate for a page. Its interval is the longest of all that apply at `now`.
ROBOTRULES_INTERNAL_API ReserveRequest page_request(const Pace& pace, const Rules& rules, std::vector<std::string> keys,
                                                    Timestamp now);

// Returns when the Visit-time starts next; null if it has started, or if there is none.
ROBOTRULES_INTERNAL_API std::optional<Timestamp> visit_time_begins(const Pace& pace, const Rules& rules, Timestamp now);

}  // namespace robotrules::agent
