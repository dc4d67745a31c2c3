// The wait while the robot's own network fails.
#pragma once

#include <chrono>
#include <optional>

#include <robotrules/message.hpp>

#include "crawl/notice.hpp"

namespace robotrules::crawl {

// One site at a time is tried, and no failure counts.
class NetworkWait {
 public:
  using Clock = std::chrono::steady_clock;
  explicit NetworkWait(Clock::duration reminder) : notice_(reminder) {}

  // Takes a response. `has_failed`: the robot says so of its network (RobotUA::network_failing_since()).
  // `has_requests`: the robot has others. Returns true if the response is a failure of that network, so that the URL is
  // requested again.
  bool take(const Response& response, bool has_failed, bool has_requests, Clock::time_point now);
  // A site is tried.
  void tries(Clock::time_point now);

  bool is_waiting() const noexcept { return again_at_.has_value(); }
  // Precondition of both: is_waiting().
  bool is_due(Clock::time_point now) const noexcept { return now >= *again_at_; }
  Clock::time_point next_try(Clock::time_point now) const noexcept;

  // Returns true once after the wait has begun: requests that wait in the robot are to be taken back, because each
  // would be tried, and all at the same time.
  bool take_recall() noexcept { return std::exchange(must_recall_, false); }
  Notice& notice() noexcept { return notice_; }
  bool has_news() const noexcept { return must_recall_ || notice_.has_news(); }

 private:
  void pause(Clock::time_point now);

  Notice notice_;
  std::optional<Clock::time_point> again_at_;
  unsigned in_vain_ = 0;  // tries in turn
  bool must_recall_ = false;
};

}  // namespace robotrules::crawl
