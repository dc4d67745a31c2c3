#include <robotrules/user_agent.hpp>

#include <cstdlib>

#include "base/ascii.hpp"

namespace robotrules {
namespace {

// Returns the value of the lower-case variable, or else of the upper-case one. HTTP_PROXY is not read, because a client
// of a CGI program can set it (CVE-2016-5385).
std::string from_environment(const char* lower, const char* upper) {
  if (const char* value = std::getenv(lower)) return value;
  if (upper == nullptr) return {};
  const char* value = std::getenv(upper);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

ProxyOptions proxy_from_environment() {
  ProxyOptions proxy;
  const std::string all = from_environment("all_proxy", "ALL_PROXY");
  proxy.http = from_environment("http_proxy", nullptr);
  proxy.https = from_environment("https_proxy", "HTTPS_PROXY");
  if (proxy.http.empty()) proxy.http = all;
  if (proxy.https.empty()) proxy.https = all;
  const std::string exempt = from_environment("no_proxy", "NO_PROXY");
  std::string_view rest = exempt;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    if (const auto host = base::trimmed(rest.substr(0, comma)); !host.empty()) proxy.exempt.emplace_back(host);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return proxy;
}

}  // namespace robotrules
