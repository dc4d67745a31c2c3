// The gate keys of an origin.
#pragma once

#include <string>
#include <vector>

#include <robotrules/robot_ua.hpp>
#include <robotrules/url.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// Returns the gate keys of an origin: its own key, and those that the pace asks for:
//   "host:example.org"
//   "domain:example.org"  the registrable domain by the public suffix list; the host, if that is an address or itself a
//                         public suffix
//   "ip:192.0.2.1"        for each of the addresses
ROBOTRULES_INTERNAL_API std::vector<std::string> gate_keys_of(const Origin& origin, const Pace& pace,
                                                              const std::vector<std::string>& addresses = {});

}  // namespace robotrules::agent
