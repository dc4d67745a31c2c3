// Notices that the clock of the server has jumped forward.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include <robotrules/base.hpp>

#include "store/machine_clock.hpp"

namespace robotrules::store::postgres {

// Compares the server's clock with this machine's boot-time clock, which nothing sets and which also counts while the
// machine sleeps. Any thread.
class ClockWatch {
 public:
  static constexpr std::chrono::seconds margin{2};

  // `max_delay`: an answer takes no longer, so a greater difference is a jump. `since_boot`: for tests.
  explicit ClockWatch(std::chrono::microseconds max_delay, std::function<std::chrono::microseconds()> since_boot = {})
      : limit_(max_delay + margin), since_boot_(std::move(since_boot)) {}

  // Returns by how much the clock has jumped forward since the time that was accepted last; zero: it has not, and this
  // time is accepted. `time`: the server's, in an answer that came just now.
  std::chrono::microseconds jump(Timestamp time) noexcept {
    const std::int64_t offset = offset_of(time);
    const std::int64_t known = known_.load(std::memory_order_relaxed);
    if (known != none && offset - known > limit_.count()) return std::chrono::microseconds(offset - known);
    known_.store(offset, std::memory_order_relaxed);
    return std::chrono::microseconds(0);
  }
  void accept(Timestamp time) noexcept { known_.store(offset_of(time), std::memory_order_relaxed); }

 private:
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

  std::int64_t offset_of(Timestamp time) const noexcept {
    return time.time_since_epoch().count() - (since_boot_ ? since_boot_() : time_since_boot()).count();
  }

  const std::chrono::microseconds limit_;
  const std::function<std::chrono::microseconds()> since_boot_;
  std::atomic<std::int64_t> known_{none};
};

}  // namespace robotrules::store::postgres
