#include "cli/get/metrics.hpp"

#include <prometheus/client_metric.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/metric_family.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "base/escape.hpp"

namespace robotrules::cli {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// Reads the crawl's counts for each scrape; keeps no counts of its own.
class Counters final : public prometheus::Collectable {
 public:
  explicit Counters(const Crawl& crawl) : crawl_(crawl) {}

  std::vector<MetricFamily> Collect() const override {
    const CrawlCounts counts = crawl_.counts();
    const auto number = [](auto count) { return static_cast<double>(count); };
    std::vector<MetricFamily> families;
    MetricFamily ended{"robotrules_urls_total", "URLs of this run by result", MetricType::Counter, {}};
    const std::pair<const char*, std::uint64_t> results[] = {{"done", counts.done},
                                                             {"denied", counts.denied},
                                                             {"failed", counts.failed},
                                                             {"parked", counts.parked},
                                                             {"cut", counts.cut}};
    for (const auto& [name, count] : results) {
      ClientMetric metric;
      metric.label.push_back({"result", name});
      metric.counter.value = number(count);
      ended.metric.push_back(std::move(metric));
    }
    families.push_back(std::move(ended));
    const auto counter = [&](const char* name, const char* help, std::uint64_t count) {
      ClientMetric metric;
      metric.counter.value = number(count);
      families.push_back({name, help, MetricType::Counter, {std::move(metric)}});
    };
    const auto gauge = [&](const char* name, const char* help, std::uint64_t count) {
      ClientMetric metric;
      metric.gauge.value = number(count);
      families.push_back({name, help, MetricType::Gauge, {std::move(metric)}});
    };
    counter("robotrules_body_octets_total", "Bytes of bodies, as received", counts.bytes);
    counter("robotrules_retries_total", "Requests that were not the last for their URL", counts.retried);
    gauge("robotrules_urls_pending", "URLs that are still to be fetched", counts.pending);
    gauge("robotrules_requests_on_the_wire", "Requests that were sent and not answered yet", counts.on_the_wire);
    gauge("robotrules_requests_waiting", "URLs that wait for robots.txt or their site's gate", counts.waiting);
    gauge("robotrules_sites", "Active sites", counts.sites);
    return families;
  }

 private:
  const Crawl& crawl_;
};

class Served final : public Metrics {
 public:
  Served(const std::string& address, const Crawl& crawl)
      : counters_(std::make_shared<Counters>(crawl)), exposer_(address, 1) {
    exposer_.RegisterCollectable(counters_);
    const auto ports = exposer_.GetListeningPorts();
    address_ = address.substr(0, address.rfind(':') + 1) + std::to_string(ports.empty() ? 0 : ports.front());
  }
  const std::string& address() const noexcept override { return address_; }

 private:
  std::shared_ptr<Counters> counters_;
  prometheus::Exposer exposer_;
  std::string address_;
};

}  // namespace

Result<std::unique_ptr<Metrics>> serve_metrics(const std::string& where, const Crawl& crawl) {
  const bool is_port = !where.empty() && where.size() <= 5 &&
                       std::all_of(where.begin(), where.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::string address = is_port ? "127.0.0.1:" + where : where;
  const auto refused = [&where](const std::string& why) {
    return Error{"metrics-failed", "--metrics " + base::printable(where) + ": " + why};
  };
  if (address.find(':') == std::string::npos) return refused("write PORT, or ADDRESS:PORT");
  try {
    return std::unique_ptr<Metrics>(std::make_unique<Served>(address, crawl));
  } catch (const std::exception&) {  // from civetweb, without a reason
    return refused(
        "cannot listen there: it is not an address of this machine, or the port is in use; give another one");
  }
}

}  // namespace robotrules::cli
