// Timestamp: a point in time, as records and gates keep it.
//
//     robotrules::Timestamp later = store->now() + std::chrono::hours(1);
//     const auto now = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
#pragma once

#include <chrono>

namespace robotrules {

// Microseconds since 1970-01-01 00:00 UTC.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

}  // namespace robotrules
