// The fields of a response head that determine its freshness.
#pragma once

#include <robotrules/headers.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// Returns the fields as views of `headers`.
ROBOTRULES_INTERNAL_API CacheFields cache_fields(const Headers& headers, Timestamp requested_at, Timestamp received_at);

}  // namespace robotrules::agent
