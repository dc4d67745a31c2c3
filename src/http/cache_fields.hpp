// What a head says of its age.
#pragma once

#include <robotrules/freshness.hpp>
#include <robotrules/headers.hpp>

namespace robotrules::agent {

// Views into `headers`.
CacheFields cache_fields(const Headers& headers, Timestamp requested_at, Timestamp received_at);

}  // namespace robotrules::agent
