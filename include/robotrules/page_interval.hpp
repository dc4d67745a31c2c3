// How far to keep from a site, by the robot's settings and by what its robots.txt asks for.
#pragma once

#include <chrono>

#include <robotrules/gate.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/rules.hpp>

namespace robotrules {

// Between two requests for pages: the largest of the pace's delay, and of the Crawl-delay and the Request-rate that
// holds at `now`, where the pace obeys them. What hangs on how long responses take is not in it (Pace::adaptive), nor
// what servers ask for with Retry-After.
std::chrono::microseconds page_interval(const Pace& pace, const Rules& rules, Timestamp now);

}  // namespace robotrules
