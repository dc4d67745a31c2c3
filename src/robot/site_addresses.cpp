#include "robot/site_addresses.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <utility>

#include "http/curl/proxy_choice.hpp"

namespace robotrules::agent {
namespace {

constexpr std::chrono::microseconds names_last = std::chrono::seconds(60);
constexpr std::size_t max_known = 10'000;
constexpr std::size_t max_used = 4;  // addresses of a host; each is a key of the gate

bool is_permitted(const AddressGuard& guard, const std::string& address) {
  std::array<char, sizeof(in6_addr)> bytes{};
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) return guard.permits({bytes.data(), sizeof(in_addr)});
  return inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1 && guard.permits({bytes.data(), bytes.size()});
}

}  // namespace

void SiteAddresses::find(const Origin& origin, Found found) {
  const auto settings = engine_.settings();
  if (!proxy_for(settings->connection->proxy, origin).empty()) return found({});
  const std::string key = origin.host + ':' + std::to_string(origin.port);
  if (const auto known = known_.find(key); known != known_.end() && known->second.until > engine_.loop().now()) {
    const auto addresses = known->second.addresses;
    return found(addresses);
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
  std::vector<std::string> used;
  const auto settings = engine_.settings();
  for (const std::string& one : addresses) {
    const bool is_new = std::ranges::find(used, one) == used.end();  // a system may name an address twice
    if (is_new && used.size() < max_used && is_permitted(settings->connection->guard, one)) used.push_back(one);
  }
  if (used.empty() && !addresses.empty()) used.push_back(addresses.front());
  if (!used.empty()) {
    if (known_.size() >= max_known) known_.clear();
    known_[key] = {used, engine_.loop().now() + names_last};
  }
  for (const Found& found : asked.mapped()) found(used);
}

void SiteAddresses::close() noexcept {
  asked_.clear();
  known_.clear();
}

}  // namespace robotrules::agent
