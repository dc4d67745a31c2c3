#include "cli/metrics/metrics.hpp"

#include <prometheus/text_serializer.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/system_error.hpp>

#include "base/escape.hpp"
#include "cli/io/text_server.hpp"
#include "cli/metrics/metric_families.hpp"

namespace robotrules::cli {
namespace {

using Tcp = boost::asio::ip::tcp;

// Blocks all signals in this thread, and thus in threads that it makes.
class BlockedSignals {
 public:
  BlockedSignals() noexcept {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

class Served final : public Metrics {
 public:
  Served(const std::string& host, const Tcp::endpoint& at)
      : server_(loop_, at, [this](std::string_view target) { return answer(target); }),
        address_(host + ":" + std::to_string(server_.address().port())) {
    const BlockedSignals blocked;  // they are for the thread of the crawl
    thread_ = std::thread([this] { loop_.run(); });
  }
  ~Served() override {
    loop_.stop();
    thread_.join();
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  const std::string& address() const noexcept override { return address_; }
  void show(const Crawl& crawl) override { crawl_ = &crawl; }

 private:
  ServedText answer(std::string_view target) const {
    if (target.substr(0, target.find('?')) != "/metrics") {
      return served_sentence(404, "The only page here is \"/metrics\".");
    }
    std::vector<prometheus::MetricFamily> families;
    if (const Crawl* const crawl = crawl_; crawl != nullptr) {
      families = crawl_metrics(*crawl);
      std::ranges::move(process_metrics(), std::back_inserter(families));
    }
    return {200, "text/plain; version=0.0.4; charset=utf-8", prometheus::TextSerializer().Serialize(families)};
  }

  std::atomic<const Crawl*> crawl_{nullptr};  // null: no crawl yet
  boost::asio::io_context loop_{1};
  TextServer server_;
  std::string address_;
  std::thread thread_;
};

bool is_port_number(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  return fault == std::errc() && end == text.data() + text.size();
}

std::string why_not(const boost::system::error_code& error) {
  switch (error.value()) {
    case EACCES: return "permission denied: ports below 1024 are for root; give another port";
    case EADDRINUSE: return "the port is in use; give another one, because each crawl needs a port of its own";
    default: return "it is not an address of this machine; give another one";
  }
}

// Returns the first address of "ADDRESS:PORT", where an IPv6 address may be in brackets.
Tcp::endpoint endpoint_of(std::string host, std::string_view port) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  boost::asio::io_context loop;
  return *Tcp::resolver(loop).resolve(host, port, Tcp::resolver::passive | Tcp::resolver::numeric_service).begin();
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
  if (colon == std::string::npos || colon == 0) return refused("write PORT, or ADDRESS:PORT");
  if (!is_port_number(std::string_view(address).substr(colon + 1))) return refused("give a port from 0 to 65535");
  const std::string host = address.substr(0, colon);
  try {
    return std::unique_ptr<Metrics>(
        std::make_unique<Served>(host, endpoint_of(host, std::string_view(address).substr(colon + 1))));
  } catch (const boost::system::system_error& error) {
    return refused("cannot listen there: " + why_not(error.code()));
  } catch (const std::system_error&) {
    return refused("the system gives no thread; raise the limit on processes (ulimit -u)");
  }
}

}  // namespace robotrules::cli
