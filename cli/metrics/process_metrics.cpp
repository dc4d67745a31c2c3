// The metrics of the process, under the names that the client libraries of Prometheus use.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <robotrules/user_agent.hpp>

#include "cli/metrics/metric_families.hpp"

namespace robotrules::cli {
namespace {

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Returns the virtual and the resident memory in bytes.
std::optional<std::pair<double, double>> memory() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  double resident = 0;
  if (!(file >> pages >> resident)) return std::nullopt;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::pair(pages * page, resident * page);
}

std::optional<double> max_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  return limit.rlim_cur == RLIM_INFINITY ? std::numeric_limits<double>::infinity()
                                         : static_cast<double>(limit.rlim_cur);
}

// Returns the start of the process in seconds since 1970: that of the system, and the time until the process started.
std::optional<double> start_time() {
  std::ifstream own("/proc/self/stat");
  std::string text;
  std::getline(own, text);
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));  // the name may have spaces
  constexpr int before_start = 19;  // fields between the name and the start time (proc(5))
  std::string field;
  for (int i = 0; i < before_start; ++i) fields >> field;
  double ticks = 0;
  if (!(fields >> ticks)) return std::nullopt;
  std::ifstream system("/proc/stat");
  for (std::string word; system >> word;) {
    double booted = 0;
    if (word == "btime" && system >> booted) return booted + ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  return std::nullopt;
}

}  // namespace

std::vector<prometheus::MetricFamily> process_metrics() {
  std::vector<prometheus::MetricFamily> families;
  const auto add = [&families](const char* name, const char* help, const std::optional<double>& value) {
    if (value) families.push_back(gauge_of(name, help, *value));
  };
  families.push_back(
      counter_of("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", cpu_seconds()));
  const auto bytes = memory();
  add("process_virtual_memory_bytes", "Virtual memory size in bytes.",
      bytes ? std::optional(bytes->first) : std::nullopt);
  add("process_resident_memory_bytes", "Resident memory size in bytes.",
      bytes ? std::optional(bytes->second) : std::nullopt);
  add("process_open_fds", "Number of open file descriptors.", count_open_files());
  add("process_max_fds", "Maximum number of open file descriptors.", max_files());
  add("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", start_time());
  return families;
}

}  // namespace robotrules::cli
