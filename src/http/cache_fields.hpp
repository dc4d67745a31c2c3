// The fields of a response head that determine its freshness.
#pragma once

#include <robotrules/headers.hpp>
#include <robotrules/page.hpp>

namespace robotrules::agent {

// Returns the fields as views of `headers`.
CacheFields cache_fields(const Headers& headers, Timestamp requested_at, Timestamp received_at);

}  // namespace robotrules::agent
