#include "store/machine_clock.hpp"

#include <ctime>
#include <fstream>

namespace robotrules::store {

Timestamp wall_time() {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

std::chrono::microseconds time_since_boot() {
#if defined(CLOCK_BOOTTIME)
  std::timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_nsec / 1000);
#else
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch());
#endif
}

std::string boot_id() {
  std::ifstream stream("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(stream, id);
  return id;
}

std::function<Timestamp()> steady_wall_clock() {
  return [start = wall_time() - time_since_boot()] { return start + time_since_boot(); };
}

}  // namespace robotrules::store
