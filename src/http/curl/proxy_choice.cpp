#include "http/curl/proxy_choice.hpp"

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"
#include "http/curl/socket_address.hpp"

namespace robotrules::agent {
namespace {

// `address`: 4 or 16 bytes. Returns false for a network of the other family or with a prefix that is too long.
bool is_in_network(std::string_view address, std::string_view network) {
  const std::size_t slash = network.find('/');
  const Address first = address_of(std::string(network.substr(0, slash)).c_str());
  if (first.bytes.size() != address.size()) return false;
  std::size_t bits = 8 * address.size();
  if (slash != std::string_view::npos) {
    const auto prefix = base::read_digits(network.substr(slash + 1), static_cast<std::int64_t>(bits));
    if (!prefix) return false;
    bits = static_cast<std::size_t>(*prefix);
  }
  for (std::size_t bit = 0; bit < bits; ++bit) {
    const unsigned char mask = 0x80U >> bit % 8;
    if (((address[bit / 8] ^ first.bytes[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

bool is_exempt(std::string_view host, std::string_view entry) {
  if (entry == "*") return true;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  if (const Address address = address_of(std::string(host).c_str()); !address.bytes.empty()) {
    return is_in_network(address.bytes, entry);
  }
  if (entry.starts_with('.')) entry.remove_prefix(1);
  for (std::string_view* name : {&host, &entry}) {
    if (name->ends_with('.')) name->remove_suffix(1);
  }
  if (entry.empty() || host.size() < entry.size()) return false;
  const std::size_t before = host.size() - entry.size();
  return base::equals_ignore_case(host.substr(before), entry) && (before == 0 || host[before - 1] == '.');
}

}  // namespace

std::string proxy_for(const ProxyOptions& options, const Origin& origin) {
  const bool exempt =
      std::ranges::any_of(options.exempt, [&](const auto& entry) { return is_exempt(origin.host, entry); });
  if (exempt) return {};
  return origin.scheme == "https" ? options.https : options.http;
}

std::string shown_proxy(const std::string& proxy) {
  const std::size_t scheme = proxy.find("://");
  const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
  const std::size_t end = std::min(proxy.find_first_of("/?#", begin), proxy.size());
  const std::size_t at = proxy.substr(0, end).rfind('@');
  const std::size_t host = at == std::string::npos || at < begin ? begin : at + 1;
  return (scheme == std::string::npos ? "http://" : proxy.substr(0, begin)) + proxy.substr(host, end - host);
}

}  // namespace robotrules::agent
