// What this process has of memory and descriptors, by /proc.
#pragma once

#include <cstddef>

namespace robotrules::test {

// Octets that are in memory and not swapped out.
std::size_t resident_octets();
std::size_t open_descriptors();

}  // namespace robotrules::test
