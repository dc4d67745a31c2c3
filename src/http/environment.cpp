#include <robotrules/user_agent.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

#include <robotrules/url.hpp>

#include "base/ascii.hpp"

namespace robotrules {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// Returns the value of the lower-case variable, or of the upper-case one if the first is missing or empty, as curl
// does.
std::string variable(const char* lower, const char* upper) {
  const std::string value = variable(lower);
  return value.empty() ? variable(upper) : value;
}

// Returns true for "http://proxy:3128" and "proxy:3128". If an "@" comes after the host, the host may be a part of a
// password. "http:me:password@proxy" lacks its "//"; a user with the name of a scheme is not meant.
bool is_proxy(std::string_view text) {
  constexpr std::array<std::string_view, 6> schemes = {"http", "https", "socks4", "socks4a", "socks5", "socks5h"};
  const std::size_t end = text.find("://");
  const bool has_scheme = end != std::string_view::npos;
  if (has_scheme && std::ranges::find(schemes, base::lower_case(text.substr(0, end))) == schemes.end()) return false;
  const std::string_view rest = text.substr(has_scheme ? end + 3 : 0);
  const bool is_user = rest.find('@') != std::string_view::npos;
  const std::string first = base::lower_case(rest.substr(0, rest.find(':')));
  if (is_user && std::ranges::find(schemes, first) != schemes.end()) return false;
  const std::size_t path = std::min(rest.find_first_of("/?#"), rest.size());
  return rest.find('@', path) == std::string_view::npos && Origin::of("http://" + std::string(rest)).has_value();
}

}  // namespace

Result<void> check_proxies(const ProxyOptions& proxies) {
  for (const std::string* const proxy : {&proxies.http, &proxies.https}) {
    if (proxy->empty() || is_proxy(*proxy)) continue;
    return Error{"invalid-proxy",
                 "the proxy does not have the form [SCHEME://][USER:PASSWORD@]HOST[:PORT], such as http://proxy:3128 "
                 "or socks5h://proxy:1080; in a password write \"/\", \"#\" and \" \" as %2F, %23 and %20"};
  }
  return {};
}

ProxyOptions proxy_from_environment() {
  ProxyOptions proxy;
  const std::string all = variable("all_proxy", "ALL_PROXY");
  proxy.http = variable("http_proxy");  // not HTTP_PROXY, which a client of a CGI program can set (CVE-2016-5385)
  proxy.https = variable("https_proxy", "HTTPS_PROXY");
  if (proxy.http.empty()) proxy.http = all;
  if (proxy.https.empty()) proxy.https = all;
  const std::string exempt = variable("no_proxy", "NO_PROXY");
  std::string_view rest = exempt;
  while (!rest.empty()) {
    const std::size_t comma = rest.find_first_of(", ");
    if (const auto host = base::trimmed(rest.substr(0, comma)); !host.empty()) proxy.exempt.emplace_back(host);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return proxy;
}

TlsOptions tls_from_environment() {
  TlsOptions tls;
  tls.ca_file = variable("SSL_CERT_FILE");
  tls.ca_path = variable("SSL_CERT_DIR");
  return tls;
}

}  // namespace robotrules
