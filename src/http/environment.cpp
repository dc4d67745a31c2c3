#include <robotrules/user_agent.hpp>

#include <cstdlib>

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

}  // namespace

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
    const std::size_t comma = rest.find(',');
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
