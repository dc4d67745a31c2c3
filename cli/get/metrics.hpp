// Counters of a crawl for Prometheus.
#pragma once

#include <memory>
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

}  // namespace robotrules::cli
