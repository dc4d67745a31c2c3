// The clocks of this machine, and the id of its current run. A store reads the wall clock once and then adds the time
// since boot, which cannot be set.
#pragma once

#include <chrono>
#include <string>

#include <robotrules/store.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

// Returns the time of the system clock, which may be set.
ROBOTRULES_INTERNAL_API Timestamp wall_time();

// Returns the time since the machine started, including sleep. This clock never goes back and cannot be set.
ROBOTRULES_INTERNAL_API std::chrono::microseconds time_since_boot() noexcept;

// Returns the same time as it was at the last tick of the kernel or later (a tick is 1 to 10 ms). Costs a quarter.
std::chrono::microseconds recent_time_since_boot();

// Returns a name for this run of the machine; empty if the system does not tell.
ROBOTRULES_INTERNAL_API std::string boot_id();

}  // namespace robotrules::store
