// The metrics of a crawl for Prometheus: served during the run, or kept in a file.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <robotrules/crawl.hpp>
#include <robotrules/result.hpp>

namespace robotrules::cli {

// A server that runs until it is destroyed.
class Metrics {
 public:
  virtual ~Metrics() = default;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;
  // "127.0.0.1:9100"
  virtual const std::string& address() const noexcept = 0;

 protected:
  Metrics() = default;
};

// Serves http://ADDRESS:PORT/metrics. `where` is "PORT", at the loopback address, or "ADDRESS:PORT"; port 0 means a
// free port. The crawl must outlive the server. Fails with "metrics-failed" if the address is invalid or cannot be
// used.
Result<std::unique_ptr<Metrics>> serve_metrics(const std::string& where, const Crawl& crawl);

// A file with the metrics of a crawl, for the textfile collector of node exporter. Its readers see a whole file at any
// time. Each metric has the label `crawl`: the name of the file without ".prom", so that the collector can read the
// files of several crawls. The metrics of the process are not in it, because node exporter has its own of these names.
class MetricsFile {
 public:
  // Does nothing if `path` is empty. The crawl must outlive the object.
  MetricsFile(std::string path, const Crawl& crawl);

  // Fails with "metrics-failed" if the file cannot be written.
  Result<void> write();
  // Call it several times per second: it writes the file every 15 seconds. Prints the first of several failures in
  // turn.
  void update();
  // Writes the last values, with the end of the run and its exit status.
  void finish(int status);

 private:
  using Clock = std::chrono::steady_clock;
  Result<void> replace(const std::string& contents) const;
  std::string text(std::optional<int> status) const;
  void tell(const Result<void>& written);

  std::string path_;
  const Crawl& crawl_;
  Clock::time_point next_{};
  bool has_failed_ = false;
};

}  // namespace robotrules::cli
