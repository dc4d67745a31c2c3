#include "cli/get/metrics.hpp"

#include <netdb.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>
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

// Calls ::bind or ::connect with a new socket and the address "ADDRESS:PORT". Returns the errno; 0 if the call succeeds
// or the address cannot be read. Does not wait.
int socket_error(const std::string& address, int (*call)(int, const sockaddr*, socklen_t)) {
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo wanted{};
  wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), address.c_str() + colon + 1, &wanted, &found) != 0) return 0;
  int error = 0;
  const int file = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0 || call(file, found->ai_addr, found->ai_addrlen) != 0) error = errno;
  if (file >= 0) ::close(file);
  ::freeaddrinfo(found);
  return error;
}

class Served final : public Metrics {
 public:
  explicit Served(const std::string& address)
      : exposer_(std::make_unique<prometheus::Exposer>(address, std::size_t{1})) {
    const auto ports = exposer_->GetListeningPorts();
    address_ = address.substr(0, address.rfind(':') + 1) + std::to_string(ports.empty() ? 0 : ports.front());
  }
  // civetweb looks every two seconds whether it has to stop, and after each connection. So connections end it sooner.
  ~Served() override {
    std::atomic<bool> stopped{false};
    std::thread waker;
    try {
      waker = std::thread([&] {
        for (; !stopped; std::this_thread::sleep_for(std::chrono::milliseconds(5))) socket_error(address_, ::connect);
      });
    } catch (const std::exception&) {  // it ends two seconds later
    }
    exposer_.reset();
    stopped = true;
    if (waker.joinable()) waker.join();
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  const std::string& address() const noexcept override { return address_; }
  void show(const Crawl& crawl) override {
    scraped_ = std::make_shared<Scraped>(crawl);
    exposer_->RegisterCollectable(scraped_);
  }

 private:
  std::shared_ptr<Scraped> scraped_;  // null: no crawl yet
  std::unique_ptr<prometheus::Exposer> exposer_;
  std::string address_;
};

bool is_port_number(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  return fault == std::errc() && end == text.data() + text.size();
}

// civetweb does not say why it cannot listen.
std::string why_not(const std::string& address) {
  switch (socket_error(address, ::bind)) {
    case EACCES: return "permission denied: ports below 1024 are for root; give another port";
    case EADDRINUSE: return "the port is in use; give another one, because each crawl needs a port of its own";
    case EADDRNOTAVAIL: return "it is not an address of this machine; give another one";
    default: return "it is not an address of this machine, or the port is in use; give another one";
  }
}

}  // namespace

Result<std::unique_ptr<Metrics>> serve_metrics(const std::string& where) {
  const bool is_port =
      !where.empty() && std::all_of(where.begin(), where.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::string address = is_port ? "127.0.0.1:" + where : where;
  const auto refused = [&where](const std::string& why) {
    return Error{"metrics-failed", "--metrics " + base::printable(where) + ": " + why};
  };
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return refused("write PORT, or ADDRESS:PORT");
  if (!is_port_number(std::string_view(address).substr(colon + 1))) return refused("give a port from 0 to 65535");
  try {
    return std::unique_ptr<Metrics>(std::make_unique<Served>(address));
  } catch (const std::exception&) {
    return refused("cannot listen there: " + why_not(address));
  }
}

}  // namespace robotrules::cli
