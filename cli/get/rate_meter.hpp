// The growth rate of a sum: recent, and on average.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>

namespace robotrules::cli {

// Measures a sum that is sampled from time to time. Precondition: times do not decrease.
class RateMeter {
 public:
  using Time = std::chrono::steady_clock::time_point;
  explicit RateMeter(Time begin, std::chrono::seconds span = std::chrono::seconds(10))
      : begin_(begin), span_(span), seen_{{begin, 0}} {}

  void see(Time now, std::uint64_t sum) {
    seen_.emplace_back(now, sum);
    while (seen_.size() > 2 && now - seen_[1].first >= span_) seen_.pop_front();
  }
  // Returns the growth per second over the last seconds, `span` of them; 0 before any time has passed.
  double now() const { return per_second(seen_.front(), seen_.back()); }
  double average() const { return per_second({begin_, 0}, seen_.back()); }

 private:
  using Seen = std::pair<Time, std::uint64_t>;
  static double per_second(const Seen& from, const Seen& to) {
    const double seconds = std::chrono::duration<double>(to.first - from.first).count();
    return seconds > 0 ? static_cast<double>(to.second - from.second) / seconds : 0;
  }

  Time begin_;
  std::chrono::seconds span_;
  std::deque<Seen> seen_;
};

}  // namespace robotrules::cli
