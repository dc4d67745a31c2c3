// Long runs: how long they take, and whether memory grows with the work done.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace robotrules::test {

// Three seconds in every run, five minutes with ROBOTRULES_SOAK=1, N seconds with ROBOTRULES_SOAK=N.
std::chrono::seconds time_to_soak();

struct Sample {
  std::size_t operations;
  std::size_t resident;  // bytes
  std::size_t descriptors;
};

// Bytes an operation: the slope of the line that is nearest to all samples (least squares).
double slope_of(const std::vector<Sample>& samples);

}  // namespace robotrules::test
