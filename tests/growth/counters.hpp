// Counts of steps and of allocated bytes.
//
// A step is a basic block of what is compiled with -fsanitize-coverage=trace-pc: the core, and some sources of the
// command. Steps inside of other libraries, such as those of memchr, are not counted. counters.cpp replaces the global
// operator new. One thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace robotrules::test {

struct Count {
  std::uint64_t steps = 0;
  std::uint64_t allocated = 0;  // bytes, also those that were freed
};

// Returns the counts of one call.
Count count(const std::function<void()>& call);

// Returns how much a number grows if the input is twice as long: of each doubling, on average. `counts`: of inputs of
// n, 2n and 4n.
double growth(const std::vector<Count>& counts, std::uint64_t Count::* number);

// Twice the input, 2.2 times the work: sorting takes a little more than twice.
inline constexpr double max_growth = 2.2;
inline constexpr double max_byte_growth = 2.4;  // and the room of a vector grows in steps

}  // namespace robotrules::test
