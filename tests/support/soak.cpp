#include "support/soak.hpp"

#include <cstdlib>

namespace robotrules::test {

std::chrono::seconds time_to_soak() {
  const char* given = std::getenv("ROBOTRULES_SOAK");
  if (given == nullptr) return std::chrono::seconds(3);
  const int seconds = std::atoi(given);
  return std::chrono::seconds(seconds > 1 ? seconds : 300);
}

double slope_of(const std::vector<Sample>& samples) {
  const auto count = static_cast<double>(samples.size());
  double x_mean = 0;
  double y_mean = 0;
  for (const Sample& sample : samples) {
    x_mean += static_cast<double>(sample.operations) / count;
    y_mean += static_cast<double>(sample.resident) / count;
  }
  double above = 0;
  double below = 0;
  for (const Sample& sample : samples) {
    const double x = static_cast<double>(sample.operations) - x_mean;
    above += x * (static_cast<double>(sample.resident) - y_mean);
    below += x * x;
  }
  return below == 0 ? 0 : above / below;
}

}  // namespace robotrules::test
