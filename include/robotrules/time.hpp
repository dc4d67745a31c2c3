// Timestamp: a time of day, as records and gates keep it.
#pragma once

#include <chrono>

namespace robotrules {

// Microseconds since 1970, UTC.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

}  // namespace robotrules
