// Host names in text that people write.
#pragma once

#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

// Returns true if the text begins with a host name that has a dot, such as example.org:8080/x, and has no scheme. The
// last label needs a letter, so that other columns of a table (1.5) are not taken for hosts.
ROBOTRULES_INTERNAL_API bool begins_with_host_name(std::string_view text) noexcept;

}  // namespace robotrules::base
