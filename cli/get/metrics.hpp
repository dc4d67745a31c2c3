// Counters of a crawl for Prometheus.
#pragma once

#include <memory>
#include <string>

#include <robotrules/crawl.hpp>
#include <robotrules/result.hpp>

namespace robotrules::cli {

// Serves as long as it lives.
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

// At http://ADDRESS:PORT/metrics; `where` is "PORT", of the loopback address, or "ADDRESS:PORT"; port 0 is a free one.
// The crawl must outlive it. Errors: a sentence where that is no address, or can't be had.
Result<std::unique_ptr<Metrics>> serve_metrics(const std::string& where, const Crawl& crawl);

}  // namespace robotrules::cli
