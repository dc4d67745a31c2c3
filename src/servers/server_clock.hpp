// The clock of a server, as a process knows it between two answers.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include <robotrules/base.hpp>

#include "store/machine_clock.hpp"

namespace robotrules::store {

// Each answer of the server sets the clock; between answers, the machine's boot-time clock continues it. It never runs
// backwards. Any thread.
class ServerClock {
 public:
  // `scripted`: replaces the server's clock in tests; empty: the server's.
  explicit ServerClock(std::function<Timestamp()> scripted = {}) : scripted_(std::move(scripted)) {}

  // `time`: the server's time when it made an answer, which came just now.
  void set(Timestamp time) noexcept {
    const std::int64_t offset = time.time_since_epoch().count() - since_boot();
    std::int64_t known = offset_.load(std::memory_order_relaxed);
    // An answer that took longer gives an earlier time. The latest one is the nearest to the server's clock; after the
    // server's clock was set back, this one continues from where it was.
    while (offset > known && !offset_.compare_exchange_weak(known, offset, std::memory_order_relaxed)) {
    }
  }
  // Precondition: set() was called, or the clock is scripted.
  Timestamp now() const {
    if (scripted_) return scripted_();
    return Timestamp(std::chrono::microseconds(since_boot() + offset_.load(std::memory_order_relaxed)));
  }
  const std::function<Timestamp()>& scripted() const noexcept { return scripted_; }

 private:
  static std::int64_t since_boot() noexcept { return time_since_boot().count(); }

  std::function<Timestamp()> scripted_;
  std::atomic<std::int64_t> offset_{std::numeric_limits<std::int64_t>::min() / 2};
};

}  // namespace robotrules::store
