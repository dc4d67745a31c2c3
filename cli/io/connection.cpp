#include "cli/io/connection.hpp"

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

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "cli/flags/flag_values.hpp"

namespace robotrules::cli {
namespace {

Error error_of(std::string_view flag, const Error& error) {
  return Error{error.code, std::string(flag) + ": " + base::printable(error.message)};
}

Result<void> read_guard(const Options& options, ConnectionOptions& connection) {
  for (const std::string& network : options.allow_address) {
    if (const auto allowed = connection.guard.allow(network); !allowed) {
      return error_of("--allow-address", allowed.error());
    }
  }
  for (const std::string& text : options.allow_port) {
    const auto port = number_value(flag_for(&Options::allow_port), text);
    if (!port) return port.error();
    connection.extra_ports.push_back(static_cast<std::uint16_t>(port.value()));
  }
  return {};
}

Result<void> read_tls(const Options& options, TlsOptions& tls) {
  if (options.ca_file) {
    tls.ca_file = *options.ca_file;
    if (const auto checked = check_certificate_authorities(tls); !checked)
      return error_of("--ca-file", checked.error());
  } else {
    tls = tls_from_environment();
  }
  if (!options.client_cert && (options.client_key || options.client_key_password)) {
    return Error{"invalid-option", std::string(options.client_key ? "--client-key" : "--client-key-password") +
                                       " belongs to a certificate: give --client-cert too"};
  }
  tls.certificate_file = options.client_cert.value_or("");
  tls.key_file = options.client_key.value_or("");
  tls.key_password = options.client_key_password.value_or("");
  const auto checked = check_client_certificate(tls);
  return checked ? checked : error_of("--client-cert", checked.error());
}

Result<void> read_proxy(const Options& options, ProxyOptions& proxy) {
  if (options.proxy == "none") return {};
  proxy = proxy_from_environment();
  if (!options.proxy) return {};
  proxy.http = proxy.https = *options.proxy;
  return check_proxies(proxy) ? Result<void>() : bad_value(flag_for(&Options::proxy), *options.proxy);
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

Result<void> read_family_and_names(const Options& options, ConnectionOptions& connection) {
  if (options.ipv4 && options.ipv6) return Error{"invalid-option", "--ipv4 and --ipv6 exclude each other; give one"};
  if (options.ipv4) connection.family = AddressFamily::ipv4;
  if (options.ipv6) connection.family = AddressFamily::ipv6;
  KnownAddresses known;
  for (const std::string& text : options.resolve) {
    if (!add_known(text, known)) return bad_value(flag_for(&Options::resolve), text);
  }
  if (known.empty()) return {};
  connection.resolve = [known = std::move(known)](std::string_view host, std::uint16_t port) {
    const auto found = known.find(key_of(host, port));
    return found == known.end() ? std::vector<std::string>() : found->second;
  };
  return {};
}

}  // namespace

Result<ConnectionOptions> choose_connection(const Options& options) {
  ConnectionOptions connection;
  connection.http2 = options.http2;
  if (const auto read = read_guard(options, connection); !read) return read.error();
  if (const auto read = read_tls(options, connection.tls); !read) return read.error();
  if (const auto read = read_proxy(options, connection.proxy); !read) return read.error();
  if (const auto read = read_family_and_names(options, connection); !read) return read.error();
  return connection;
}

Result<void> check_proxy_variables(const Options& options) {
  if (options.proxy) return {};
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
