#include "cli/get/metrics.hpp"

#include <netdb.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

// Returns the errno of an attempt to bind to "ADDRESS:PORT"; 0 if it succeeds or the address cannot be read.
int bind_error(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo wanted{};
  wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), address.c_str() + colon + 1, &wanted, &found) != 0) return 0;
  int error = 0;
  const int file = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0 || ::bind(file, found->ai_addr, found->ai_addrlen) != 0) error = errno;
  if (file >= 0) ::close(file);
  ::freeaddrinfo(found);
  return error;
}

// civetweb does not say why it cannot listen.
std::string why_not(const std::string& address) {
  switch (bind_error(address)) {
    case EACCES: return "permission denied: ports below 1024 are for root; give another port";
    case EADDRINUSE: return "the port is in use; give another one, because each crawl needs a port of its own";
    case EADDRNOTAVAIL: return "it is not an address of this machine; give another one";
    default: return "it is not an address of this machine, or the port is in use; give another one";
  }
}

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
  } catch (const std::exception&) {
    return refused("cannot listen there: " + why_not(address));
  }
}

}  // namespace robotrules::cli
