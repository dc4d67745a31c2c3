// The gate keys of an origin.
#pragma once

#include <string>
#include <vector>

#include <robotrules/origin.hpp>
#include <robotrules/robot_ua.hpp>

namespace robotrules::agent {

// The origin's own, and as the pace wants "host:example.org", "domain:example.org", the registrable domain by the
// public suffix list (for addresses, and names that are a public suffix themselves, the host), and "ip:192.0.2.1" where
// the address is known.
std::vector<std::string> gate_keys_of(const Origin& origin, const Pace& pace, const std::string& address = {});

}  // namespace robotrules::agent
