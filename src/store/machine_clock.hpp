// The time of one machine: the wall's clock when it was looked at first, carried on by a clock that nobody sets.
#pragma once

#include <chrono>
#include <string>

#include <robotrules/store.hpp>

namespace robotrules::store {

Timestamp wall_time();

// Microseconds since the machine started, sleep included; it never goes back and nobody sets it.
std::chrono::microseconds time_since_boot();

// The same, as it was at the machine's last tick or later (a tick is 1 to 10 ms), for a quarter of the cost.
std::chrono::microseconds recent_time_since_boot();

// Names this run of the machine; empty where nobody knows.
std::string boot_id();

}  // namespace robotrules::store
