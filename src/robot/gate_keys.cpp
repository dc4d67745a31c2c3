#include "robot/gate_keys.hpp"

#include <robotrules/store.hpp>

#include "suffix/public_suffix.hpp"

namespace robotrules::agent {

std::vector<std::string> gate_keys_of(const Origin& origin, const Pace& pace,
                                      const std::vector<std::string>& addresses) {
  std::vector<std::string> keys{gate_key(origin)};
  if (pace.by_host) keys.push_back("host:" + origin.host);
  if (pace.by_domain) keys.push_back("domain:" + suffix::registrable_domain(origin.host));
  if (!pace.by_address) return keys;
  for (const std::string& address : addresses) keys.push_back("ip:" + address);
  return keys;
}

}  // namespace robotrules::agent
