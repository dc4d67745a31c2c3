#include "store/machine_clock.hpp"

#include <ctime>
#include <fstream>

namespace robotrules::store {

Timestamp wall_time() {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

std::chrono::microseconds time_since_boot() noexcept {
#if defined(CLOCK_BOOTTIME)
  std::timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_nsec / 1000);
#else
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch());
#endif
}

std::chrono::microseconds recent_time_since_boot() {
#if defined(CLOCK_MONOTONIC_COARSE)
  // Reading the tick is cheap, but it does not count sleep. So it only tells whether the clock must be read again.
  struct Reading {
    std::timespec tick{};
    std::chrono::microseconds time{0};
  };
  thread_local Reading last;
  std::timespec tick{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &tick);
  if (tick.tv_nsec != last.tick.tv_nsec || tick.tv_sec != last.tick.tv_sec) last = {tick, time_since_boot()};
  return last.time;
#else
  return time_since_boot();
#endif
}

std::string boot_id() {
  std::ifstream stream("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(stream, id);
  return id;
}

}  // namespace robotrules::store
