// What a process has of memory and descriptors, by /proc. Process 0 is this one.
#pragma once

#include <cstddef>

namespace robotrules::test {

// Bytes that are in memory and not swapped out.
std::size_t resident_bytes(int process = 0);
std::size_t open_descriptors(int process = 0);

}  // namespace robotrules::test
