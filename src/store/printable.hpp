// Octets from strangers in a sentence.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::store {

// The first 200 octets, "..." where there are more; "?" for what is not printable ASCII.
std::string printable(std::string_view octets);

}  // namespace robotrules::store
