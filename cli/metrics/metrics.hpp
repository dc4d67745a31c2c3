// The metrics of a crawl for Prometheus: served during the run, or kept in a file.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <robotrules/base.hpp>
#include <robotrules/crawl.hpp>

namespace robotrules::cli {

// A server that listens until it is destroyed.
class Metrics {
 public:
  virtual ~Metrics() = default;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;
  // "127.0.0.1:9100"
  virtual const std::string& address() const noexcept = 0;
  // Serves the metrics of a crawl from now on; before, there are none. The crawl must outlive the server. Call it once.
  virtual void show(const Crawl& crawl) = 0;

 protected:
  Metrics() = default;
};

// Makes a server for http://ADDRESS:PORT/metrics. `where` is "PORT", at the loopback address, or "ADDRESS:PORT"; port 0
// means a free port. Fails with "metrics-failed" if the address is invalid or cannot be used.
Result<std::unique_ptr<Metrics>> serve_metrics(const std::string& where);

// A file with the metrics of a crawl, for the textfile collector of node exporter. Its readers see a whole file at any
// time. Each metric has the label `crawl`: the name of the file without ".prom", so that the collector can read the
// files of several crawls. The metrics of the process are not in it, because node exporter has its own of these names.
class MetricsFile {
 public:
  // The functions do nothing if `path` is empty.
  explicit MetricsFile(std::string path) : path_(std::move(path)) {}
  ~MetricsFile();
  MetricsFile(const MetricsFile&) = delete;
  MetricsFile& operator=(const MetricsFile&) = delete;

  // Fails with "metrics-failed" if the file cannot be written, or if another process writes it. Does not change it.
  // Call it before the crawl begins.
  Result<void> check();
  // Call it when the crawl begins, and then several times per second: it writes the file every 15 seconds. Prints the
  // first of several failures in turn.
  void update(const Crawl& crawl);
  // Writes the last values, with the end of the run and its exit status.
  void finish(const Crawl& crawl, int status);

 private:
  using Clock = std::chrono::steady_clock;
  Error failed(const std::string& why) const;
  Result<int> open_other();
  Result<void> replace(const std::string& contents);
  void hold(int file);
  std::string text(const Crawl& crawl, std::optional<int> status) const;
  void tell(const Result<void>& written);

  std::string path_;
  int locked_ = -1;  // the file, locked until the end; -1: it does not exist yet
  Clock::time_point next_{};
  bool has_failed_ = false;
};

}  // namespace robotrules::cli
