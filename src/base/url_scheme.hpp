// The scheme of a URL.
#pragma once

#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

// Returns the scheme of an absolute URL in lower case. Returns an empty string if there is no scheme, as in
// "localhost:8080/x".
ROBOTRULES_INTERNAL_API std::string scheme_of(std::string_view url);

}  // namespace robotrules::base
