#include "cli/metrics/metric_families.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <robotrules/user_agent.hpp>
#include <robotrules/version.hpp>

namespace robotrules::cli {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// Each value of one label with its count.
using LabelledCounts = std::vector<std::pair<std::string, std::uint64_t>>;

MetricFamily family_of(const char* name, const char* help, const char* label, const LabelledCounts& counts) {
  MetricFamily family{name, help, MetricType::Counter, {}};
  for (const auto& [value, count] : counts) {
    ClientMetric metric;
    metric.label.push_back({label, value});
    metric.counter.value = static_cast<double>(count);
    family.metric.push_back(std::move(metric));
  }
  return family;
}

MetricFamily build_info() {
  std::string library = connection_library();  // "libcurl 7.88.1 (...)"
  library.erase(0, library.find(' ') + 1);
  library.erase(std::min(library.find(' '), library.size()));
  MetricFamily family = gauge_of("robotrules_build_info", "The version of robotrules and of its HTTP library", 1);
  family.metric.front().label = {{"version", ROBOTRULES_VERSION}, {"libcurl", library}};
  return family;
}

LabelledCounts by_result(const CrawlCounts& counts) {
  return {{"done", counts.done},
          {"denied", counts.denied},
          {"failed", counts.failed},
          {"cut", counts.cut},
          {"parked", counts.parked}};
}

// The reasons are those of the log. The frequent ones are always there, so that a rate shows their first failure too.
LabelledCounts by_reason(const FailureCounts& failures) {
  std::map<std::string, std::uint64_t> reasons;
  for (const ResponseSource source : {ResponseSource::server, ResponseSource::network, ResponseSource::timeout,
                                      ResponseSource::tls, ResponseSource::bad_response, ResponseSource::body_refused,
                                      ResponseSource::redirect_refused, ResponseSource::robots_unreachable}) {
    reasons[std::string(to_string(source))] = 0;
  }
  for (const FailureCause cause : {FailureCause::name_unknown, FailureCause::address_refused,
                                   FailureCause::port_refused, FailureCause::certificate_not_verified}) {
    reasons[std::string(to_string(cause))] = 0;
  }
  for (const auto& [why, count] : failures) {
    // A status is not a reason of the log, and there are too many for a label. Below 400, only a redirect fails.
    const bool is_status = why.front() >= '0' && why.front() <= '9';
    const ResponseSource source = why < "400" ? ResponseSource::redirect_refused : ResponseSource::server;
    reasons[is_status ? std::string(to_string(source)) : why] += count;
  }
  return {reasons.begin(), reasons.end()};
}

LabelledCounts by_class(const CrawlCounts& counts) {
  LabelledCounts classes;
  for (std::size_t i = 1; i < counts.responses.size(); ++i) {
    classes.emplace_back(std::to_string(i) + "xx", counts.responses[i]);
  }
  classes.emplace_back("other", counts.responses[0]);
  return classes;
}

MetricFamily duration(const ResponseTimes& times) {
  ClientMetric metric;
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < times.bounds_ms.size(); ++i) {
    so_far += times.counts[i];
    metric.histogram.bucket.push_back({so_far, static_cast<double>(times.bounds_ms[i]) / 1'000});
  }
  metric.histogram.sample_count = so_far + times.counts.back();
  metric.histogram.sample_sum = std::chrono::duration<double>(times.sum).count();
  return {"robotrules_response_duration_seconds",
          "Time from the start of a request for a page to the last byte of its response",
          MetricType::Histogram,
          {std::move(metric)}};
}

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

MetricFamily gauge_of(const char* name, const char* help, double value) {
  ClientMetric metric;
  metric.gauge.value = value;
  return {name, help, MetricType::Gauge, {std::move(metric)}};
}

MetricFamily counter_of(const char* name, const char* help, double value) {
  ClientMetric metric;
  metric.counter.value = value;
  return {name, help, MetricType::Counter, {std::move(metric)}};
}

std::vector<MetricFamily> crawl_metrics(const Crawl& crawl) {
  const CrawlCounts counts = crawl.counts();
  const auto number = [](auto count) { return static_cast<double>(count); };
  const LabelledCounts robots = {{"rules", counts.robots.rules},
                                 {"unavailable", counts.robots.unavailable},
                                 {"unreachable", counts.robots.unreachable}};
  return {
      build_info(),
      family_of("robotrules_urls_total", "URLs of this run by result", "result", by_result(counts)),
      family_of("robotrules_failures_total", "Failed URLs of this run by reason", "reason",
                by_reason(crawl.failures())),
      family_of("robotrules_responses_total", "Responses of servers to requests for pages, by class of the status",
                "class", by_class(counts)),
      duration(counts.times),
      family_of("robotrules_robots_fetches_total", "Fetches of robots.txt files by outcome", "outcome", robots),
      counter_of("robotrules_received_bytes_total", "Bytes of page bodies, as received", number(counts.bytes)),
      counter_of("robotrules_retries_total", "Requests that were repeated after a temporary failure",
                 number(counts.retried)),
      gauge_of("robotrules_urls_pending", "URLs that are still to be fetched", number(counts.pending)),
      gauge_of("robotrules_requests_in_flight", "Requests that were sent and are not answered yet",
               number(counts.on_the_wire)),
      gauge_of("robotrules_requests_waiting", "URLs that wait for robots.txt or for the turn of their site",
               number(counts.waiting)),
      gauge_of("robotrules_waiting_for_disk", "1 while the crawl waits for room on a disk", counts.disk_full ? 1 : 0),
      gauge_of("robotrules_waiting_for_proxy", "1 while the crawl waits for its proxy", counts.proxy_failed ? 1 : 0),
      gauge_of("robotrules_waiting_for_network", "1 while the network of this machine has failed",
               counts.network_failed ? 1 : 0),
      gauge_of("robotrules_sites_active", "Sites with URLs in progress", number(counts.sites)),
  };
}

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
