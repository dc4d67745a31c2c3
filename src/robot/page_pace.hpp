// How far to keep from a site: what the settings and its robots.txt ask for, as pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/robot_ua.hpp>
#include <robotrules/rules.hpp>

namespace robotrules::agent {

// The gate's question for a page: the interval is the largest of all that apply at `now`.
ReserveRequest page_request(const Pace& pace, const Rules& rules, std::vector<std::string> keys, Timestamp now);

// When the Visit-time begins; null where it is on, or none is asked for.
std::optional<Timestamp> visit_time_begins(const Pace& pace, const Rules& rules, Timestamp now);

}  // namespace robotrules::agent
