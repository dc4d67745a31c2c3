// The proxy of a request, and its name in messages.
#pragma once

#include <string>

#include <robotrules/url.hpp>
#include <robotrules/user_agent.hpp>

namespace robotrules::agent {

// Returns the proxy for requests to `origin`; empty if there is none, or if the host is exempt. The exempt hosts are
// read as curl reads NO_PROXY: "example.org" and ".example.org" are the host and its subdomains, "10.0.0.0/8" is a
// network, and "*" is every host.
std::string proxy_for(const ProxyOptions& options, const Origin& origin);

// Returns "http://proxy:3128" for the proxy "http://user:password@proxy:3128/".
std::string shown_proxy(const std::string& proxy);

}  // namespace robotrules::agent
