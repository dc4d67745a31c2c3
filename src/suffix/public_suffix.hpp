// The public suffix list, from libpsl.
#pragma once

#include <string>

#include "base/visibility.hpp"

namespace robotrules::suffix {

// Returns true for "co.uk", "github.io" and names without a dot; false for addresses.
ROBOTRULES_INTERNAL_API bool is_public_suffix(const std::string& host);
// Returns "example.co.uk" for "www.example.co.uk". Returns an address or a public suffix unchanged.
ROBOTRULES_INTERNAL_API std::string registrable_domain(const std::string& host);

}  // namespace robotrules::suffix
