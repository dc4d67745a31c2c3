// The gate keys of an origin.
#pragma once

#include <string>
#include <vector>

#include <robotrules/origin.hpp>

namespace robotrules::agent {

// The origin's own, and as wanted "host:example.org" and "domain:example.org", the registrable domain by the public
// suffix list (for addresses, and names that are a public suffix themselves, the host).
std::vector<std::string> gate_keys_of(const Origin& origin, bool by_host, bool by_domain);
std::string registrable_domain(const std::string& host);
// "co.uk", "github.io", and names without a dot; no address is one.
bool is_public_suffix(const std::string& host);

}  // namespace robotrules::agent
