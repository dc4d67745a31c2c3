#include "cli/io/network.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/url.hpp>

#include "base/escape.hpp"

namespace robotrules::cli {
namespace {

Error error_of(std::string_view flag, const Error& error) {
  return Error{error.code, std::string(flag) + ": " + base::printable(error.message)};
}

Result<void> read_guard(const Given& given, ConnectionOptions& connection) {
  for (const std::string& network : given.all("allow-address")) {
    if (const auto allowed = connection.guard.allow(network); !allowed) {
      return error_of("--allow-address", allowed.error());
    }
  }
  for (const std::string& port : given.all("allow-port")) {
    connection.extra_ports.push_back(static_cast<std::uint16_t>(std::stoi(port)));
  }
  return {};
}

Result<void> read_tls(const Given& given, TlsOptions& tls) {
  if (const auto file = given.text("ca-file")) {
    tls.ca_file = *file;
    if (const auto checked = check_certificate_authorities(tls); !checked)
      return error_of("--ca-file", checked.error());
  } else {
    tls = tls_from_environment();
  }
  if (!given.has("client-cert") && (given.has("client-key") || given.has("client-key-password"))) {
    return Error{"invalid-option", std::string(given.has("client-key") ? "--client-key" : "--client-key-password") +
                                       " belongs to a certificate: give --client-cert too"};
  }
  tls.certificate_file = given.text("client-cert", "");
  tls.key_file = given.text("client-key", "");
  tls.key_password = given.text("client-key-password", "");
  const auto checked = check_client_certificate(tls);
  return checked ? checked : error_of("--client-cert", checked.error());
}

Result<void> read_proxy(const Given& given, ProxyOptions& proxy) {
  const auto url = given.text("proxy");
  if (url == "none") return {};
  proxy = proxy_from_environment();
  if (!url) return {};
  proxy.http = proxy.https = *url;
  return check_proxies(proxy) ? Result<void>() : given.bad("proxy", *url);
}

// Addresses by "host:port".
using KnownAddresses = std::map<std::string, std::vector<std::string>, std::less<>>;

std::string key_of(std::string_view host, std::uint16_t port) { return std::string(host) + ':' + std::to_string(port); }

bool is_address(const std::string& text) {
  std::array<char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

// Reads "192.0.2.1,[2001:db8::1]". Returns none if an address is not valid.
std::vector<std::string> read_addresses(std::string_view text) {
  std::vector<std::string> addresses;
  for (std::size_t comma = 0; comma != std::string_view::npos; text.remove_prefix(std::min(comma + 1, text.size()))) {
    comma = text.find(',');
    std::string_view address = text.substr(0, comma);
    if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
    addresses.emplace_back(address);
    if (!is_address(addresses.back())) return {};
  }
  return addresses;
}

// Adds "example.org:443:192.0.2.1".
bool add_known(std::string_view text, KnownAddresses& known) {
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string_view::npos ? first : text.find(':', first + 1);
  if (second == std::string_view::npos || second == first + 1) return false;
  const auto url = plain_url("http://" + std::string(text.substr(0, second)) + "/");
  const auto origin = url ? Origin::of(url.value()) : std::nullopt;
  std::vector<std::string> addresses = read_addresses(text.substr(second + 1));
  if (!origin || addresses.empty()) return false;
  auto& all = known[key_of(origin->host, origin->port)];
  all.insert(all.end(), std::make_move_iterator(addresses.begin()), std::make_move_iterator(addresses.end()));
  return true;
}

Result<void> read_family_and_names(const Given& given, ConnectionOptions& connection) {
  if (given.has("ipv4") && given.has("ipv6"))
    return Error{"invalid-option", "--ipv4 and --ipv6 exclude each other; give one"};
  if (given.has("ipv4")) connection.family = AddressFamily::ipv4;
  if (given.has("ipv6")) connection.family = AddressFamily::ipv6;
  KnownAddresses known;
  for (const std::string& text : given.all("resolve")) {
    if (!add_known(text, known)) return given.bad("resolve", text);
  }
  if (known.empty()) return {};
  connection.resolve = [known = std::move(known)](std::string_view host, std::uint16_t port) {
    const auto found = known.find(key_of(host, port));
    return found == known.end() ? std::vector<std::string>() : found->second;
  };
  return {};
}

}  // namespace

Result<ConnectionOptions> read_connection(const Given& given) {
  ConnectionOptions connection;
  if (const auto read = read_guard(given, connection); !read) return read.error();
  if (const auto read = read_tls(given, connection.tls); !read) return read.error();
  if (const auto read = read_proxy(given, connection.proxy); !read) return read.error();
  if (const auto read = read_family_and_names(given, connection); !read) return read.error();
  return connection;
}

Result<void> check_proxy_variables() {
  const ProxyOptions used = proxy_from_environment();
  for (const char* const name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread runs yet
    if (value == nullptr || (used.http != value && used.https != value)) continue;
    ProxyOptions proxy;
    proxy.http = value;
    if (const auto checked = check_proxies(proxy); !checked) {
      return Error{checked.error().code, std::string(name) + ": " + checked.error().message};
    }
  }
  return {};
}

}  // namespace robotrules::cli
