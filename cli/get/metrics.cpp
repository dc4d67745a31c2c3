#include "cli/get/metrics.hpp"

#include <prometheus/collectable.h>
#include <prometheus/exposer.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <vector>

#include "base/escape.hpp"
#include "cli/get/metric_families.hpp"

namespace robotrules::cli {
namespace {

// Reads the counts for each scrape; keeps none of its own.
class Scraped final : public prometheus::Collectable {
 public:
  explicit Scraped(const Crawl& crawl) : crawl_(crawl) {}

  std::vector<prometheus::MetricFamily> Collect() const override {
    std::vector<prometheus::MetricFamily> families = crawl_metrics(crawl_);
    std::ranges::move(process_metrics(), std::back_inserter(families));
    return families;
  }

 private:
  const Crawl& crawl_;
};

class Served final : public Metrics {
 public:
  Served(const std::string& address, const Crawl& crawl)
      : scraped_(std::make_shared<Scraped>(crawl)), exposer_(address, 1) {
    exposer_.RegisterCollectable(scraped_);
    const auto ports = exposer_.GetListeningPorts();
    address_ = address.substr(0, address.rfind(':') + 1) + std::to_string(ports.empty() ? 0 : ports.front());
  }
  const std::string& address() const noexcept override { return address_; }

 private:
  std::shared_ptr<Scraped> scraped_;
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
