#include "http/curl/spread_transport.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "http/curl/socket_address.hpp"

namespace robotrules::agent {
namespace {

constexpr std::size_t connections_of_part = 256;
constexpr std::size_t max_parts = 64;

// Returns the origin, such as "https://example.org:8443", of a URL that was parsed before.
std::string_view origin_part(std::string_view url) {
  return url.substr(0, url.find_first_of("/?#", url.find("://") + 3));
}

}  // namespace

SpreadTransport::SpreadTransport(std::shared_ptr<boost::asio::io_context> context) : context_(std::move(context)) {
  part(0);  // fails at once if the machine lacks a resource
}

CurlTransport& SpreadTransport::part(std::size_t number) {
  if (parts_.size() <= number) parts_.resize(number + 1);
  if (parts_[number] == nullptr) parts_[number] = std::make_unique<CurlTransport>(context_);
  return *parts_[number];
}

// Drops idle parts whose connections are now beyond the limit.
void SpreadTransport::forget_parts_beyond(std::size_t count) noexcept {
  while (parts_.size() > count && (parts_.back() == nullptr || parts_.back()->is_idle())) parts_.pop_back();
}

Transport::Id SpreadTransport::start(Transfer transfer, TransferHandler& handler) {
  const std::size_t kept = transfer.connection->keep_alive;
  const std::size_t count = std::clamp<std::size_t>(kept / connections_of_part, 1, max_parts);
  forget_parts_beyond(count);
  const std::size_t number = count == 1 ? 0 : std::hash<std::string_view>{}(origin_part(transfer.url)) % count;
  CurlTransport& chosen = part(number);
  chosen.keep_connections((kept + count - 1) / count);
  return chosen.start(std::move(transfer), handler) * max_parts + number;
}

void SpreadTransport::resolve(const Origin& origin, const ConnectionOptions& connection, Addresses found) {
  const bool v6 = origin.host.starts_with('[');
  const std::string host = v6 ? origin.host.substr(1, origin.host.size() - 2) : origin.host;
  boost::system::error_code failed;
  if (static_cast<void>(boost::asio::ip::make_address(host, failed)); !failed) return found({host});
  if (connection.resolve) {
    auto addresses = connection.resolve(origin.host, origin.port);
    std::erase_if(addresses, [&](const std::string& one) { return !is_in(connection.family, one); });
    if (!addresses.empty()) return found(std::move(addresses));
  }
  using boost::asio::ip::tcp;
  const auto resolver = std::make_shared<tcp::resolver>(*context_);
  auto resolved = [resolver, found = std::move(found)](const boost::system::error_code&,
                                                       const tcp::resolver::results_type& results) {
    std::vector<std::string> addresses;
    for (const auto& entry : results) addresses.push_back(entry.endpoint().address().to_string());
    found(std::move(addresses));
  };
  const std::string port = std::to_string(origin.port);
  if (connection.family == AddressFamily::any) return resolver->async_resolve(host, port, std::move(resolved));
  const auto protocol = connection.family == AddressFamily::ipv4 ? tcp::v4() : tcp::v6();
  resolver->async_resolve(protocol, host, port, std::move(resolved));
}

void SpreadTransport::cancel(Id id) {
  const auto number = static_cast<std::size_t>(id % max_parts);
  if (number < parts_.size() && parts_[number] != nullptr) parts_[number]->cancel(id / max_parts);
}

void SpreadTransport::resume(Id id) {
  const auto number = static_cast<std::size_t>(id % max_parts);
  if (number < parts_.size() && parts_[number] != nullptr) parts_[number]->resume(id / max_parts);
}

}  // namespace robotrules::agent
