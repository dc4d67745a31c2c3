// The time of one machine: the wall's clock when it was looked at first, carried on by a clock that nobody sets.
#pragma once

#include <functional>
#include <string>

#include <robotrules/gate.hpp>

namespace robotrules::store {

Timestamp wall_time();

// Microseconds since the machine started, sleep included; it never goes back and nobody sets it.
std::chrono::microseconds time_since_boot();

// Names this run of the machine; empty where nobody knows.
std::string boot_id();

// A clock for one process: wall_time() now, carried on by time_since_boot().
std::function<Timestamp()> steady_wall_clock();

}  // namespace robotrules::store
