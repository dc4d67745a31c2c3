// The Proxy-Status field (RFC 9209).
#pragma once

#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::agent {

// Returns true if a member of the list (RFC 8941 section 3.1) has the parameter "error": a proxy made the response.
ROBOTRULES_INTERNAL_API bool has_proxy_error(std::string_view proxy_status);

}  // namespace robotrules::agent
