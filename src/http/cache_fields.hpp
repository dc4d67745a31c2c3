// What a head says of its age.
#pragma once

#include <robotrules/headers.hpp>
#include <robotrules/page.hpp>

namespace robotrules::agent {

// Views into `headers`.
CacheFields cache_fields(const Headers& headers, Timestamp requested_at, Timestamp received_at);

}  // namespace robotrules::agent
