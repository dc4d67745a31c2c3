#include "agent/gate_keys.hpp"

#include <libpsl.h>

#include <robotrules/gate.hpp>

#include "agent/parse/ascii.hpp"

namespace robotrules::agent {

namespace {

bool is_address(const std::string& host) { return host.starts_with('[') || (!host.empty() && is_digit(host.back())); }

}  // namespace

bool is_public_suffix(const std::string& host) {
  const psl_ctx_t* list = psl_builtin();
  return list != nullptr && !is_address(host) && psl_is_public_suffix(list, host.c_str()) != 0;
}

std::string registrable_domain(const std::string& host) {
  if (is_address(host)) return host;
  const psl_ctx_t* list = psl_builtin();
  const char* domain = list == nullptr ? nullptr : psl_registrable_domain(list, host.c_str());
  return domain == nullptr ? host : std::string(domain);
}

std::vector<std::string> gate_keys_of(const Origin& origin, const Pace& pace, const std::string& address) {
  std::vector<std::string> keys{gate_key(origin)};
  if (pace.by_host) keys.push_back("host:" + origin.host);
  if (pace.by_domain) keys.push_back("domain:" + registrable_domain(origin.host));
  if (pace.by_address && !address.empty()) keys.push_back("ip:" + address);
  return keys;
}

}  // namespace robotrules::agent
