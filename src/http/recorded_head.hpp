// The head of a request in the form in which a recording keeps it.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::agent {

// Returns `head` with a note in place of the value of Proxy-Authorization. That secret is for the proxy, not for the
// server, and an archive does not need it.
std::string recorded_request_head(std::string_view head);

}  // namespace robotrules::agent
