// The least time between the starts of two requests of a crawl, all sites together.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace robotrules::crawl {

class RequestRate {
 public:
  using Clock = std::chrono::steady_clock;

  // `max_rate`: CrawlOptions::max_rate.
  explicit RequestRate(double max_rate)
      : step_(max_rate > 0 ? std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / max_rate))
                           : Clock::duration(0)) {}

  // For a while requests start with more time between them, so that so many sites do not begin at the same time.
  void spread(std::size_t sites, Clock::time_point now) {
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(sites, 1));
    spread_ = std::min<Clock::duration>(max_spread, Clock::duration(all_begin_within) / count);
    spread_end_ = now + spread_ * count;
  }

  bool may_begin(Clock::time_point now) const { return time_between(now).count() == 0 || next_ <= now; }
  void begins(Clock::time_point now) {
    if (const auto step = time_between(now); step.count() > 0) next_ = std::max(next_, now - step) + step;
  }
  // Returns the earliest start of the next request.
  Clock::time_point next() const noexcept { return next_; }

 private:
  static constexpr std::chrono::milliseconds max_spread{20};
  static constexpr std::chrono::seconds all_begin_within{30};

  Clock::duration time_between(Clock::time_point now) const {
    return now < spread_end_ ? std::max(step_, spread_) : step_;
  }

  const Clock::duration step_;
  Clock::duration spread_{0};
  Clock::time_point spread_end_{};
  Clock::time_point next_{};
};

}  // namespace robotrules::crawl
