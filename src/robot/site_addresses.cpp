#include "robot/site_addresses.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <utility>

namespace robotrules::agent {
namespace {

constexpr std::chrono::microseconds names_last = std::chrono::seconds(60);
constexpr std::size_t max_known = 10'000;

bool is_permitted(const AddressGuard& guard, const std::string& address) {
  std::array<char, sizeof(in6_addr)> bytes{};
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) return guard.permits({bytes.data(), sizeof(in_addr)});
  return inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1 && guard.permits({bytes.data(), bytes.size()});
}

}  // namespace

void SiteAddresses::find(const Origin& origin, Found found) {
  const auto settings = engine_.settings();
  const ProxyOptions& proxy = settings->connection->proxy;
  if (!(origin.scheme == "https" ? proxy.https : proxy.http).empty()) return found({});
  const std::string key = origin.host + ':' + std::to_string(origin.port);
  if (const auto known = known_.find(key); known != known_.end() && known->second.until > engine_.loop().now()) {
    const std::string address = known->second.address;
    return found(address);
  }
  const auto [asked, is_first] = asked_.try_emplace(key);
  asked->second.push_back(std::move(found));
  if (!is_first) return;
  engine_.transport()->resolve(origin, *settings->connection,
                               [weak = weak_from_this(), key](const std::vector<std::string>& addresses) {
                                 if (const auto self = weak.lock()) self->resolved(key, addresses);
                               });
}

void SiteAddresses::resolved(const std::string& key, const std::vector<std::string>& addresses) {
  const auto asked = asked_.extract(key);
  if (asked.empty()) return;
  std::string address;
  if (!addresses.empty()) {
    const auto settings = engine_.settings();
    const auto permitted = std::find_if(addresses.begin(), addresses.end(), [&](const std::string& one) {
      return is_permitted(settings->connection->guard, one);
    });
    address = permitted == addresses.end() ? addresses.front() : *permitted;
    if (known_.size() >= max_known) known_.clear();
    known_[key] = {address, engine_.loop().now() + names_last};
  }
  for (const Found& found : asked.mapped()) found(address);
}

void SiteAddresses::close() noexcept {
  asked_.clear();
  known_.clear();
}

}  // namespace robotrules::agent
