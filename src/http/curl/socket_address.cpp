#include "http/curl/socket_address.hpp"

#include <arpa/inet.h>
#include <utility>

namespace robotrules::agent {

Address address_of(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = {};
  if (address->sa_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
    inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
    return {std::string(reinterpret_cast<const char*>(&v4->sin_addr), 4), text};
  }
  if (address->sa_family == AF_INET6) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(address);
    inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
    return {std::string(reinterpret_cast<const char*>(&v6->sin6_addr), 16), text};
  }
  return {};
}

Address address_of(const char* text) {
  char bytes[16];
  const std::string_view plain = std::string_view(text).substr(0, std::string_view(text).find('%'));  // without a zone
  const std::string copy(plain);
  if (inet_pton(AF_INET, copy.c_str(), bytes) == 1) return {std::string(bytes, 4), copy};
  if (inet_pton(AF_INET6, copy.c_str(), bytes) == 1) return {std::string(bytes, 16), copy};
  return {};
}

std::vector<Address> addresses_in(std::string_view host) {
  if (host == "localhost" || host.ends_with(".localhost")) return {address_of("127.0.0.1"), address_of("::1")};
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  const std::string text(host);
  in_addr v4{};
  if (inet_aton(text.c_str(), &v4) == 1) {  // a proxy may accept odd spellings
    return {{std::string(reinterpret_cast<const char*>(&v4), sizeof v4), text}};
  }
  Address v6 = address_of(text.c_str());
  if (v6.bytes.empty()) return {};
  return {std::move(v6)};
}

std::string with_port(const std::string& address, std::uint16_t port) {
  const bool is_v6 = address.find(':') != std::string::npos;
  return (is_v6 ? '[' + address + ']' : address) + ':' + std::to_string(port);
}

std::uint16_t port_of(const sockaddr* address) {
  if (address->sa_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in*>(address)->sin_port);
  return ntohs(reinterpret_cast<const sockaddr_in6*>(address)->sin6_port);
}

std::string name_of_address(AddressFamily family) {
  switch (family) {
    case AddressFamily::ipv4: return "IPv4 address";
    case AddressFamily::ipv6: return "IPv6 address";
    case AddressFamily::any: break;
  }
  return "address";
}

bool is_in(AddressFamily family, std::string_view address) noexcept {
  return family == AddressFamily::any || (family == AddressFamily::ipv6) == (address.find(':') != address.npos);
}

}  // namespace robotrules::agent
