// The head of a request as a recording keeps it.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::agent {

// Returns `head` with a note in place of the value of Proxy-Authorization: what opens the proxy was not meant for the
// server, and no archive needs it.
std::string recorded_request_head(std::string_view head);

}  // namespace robotrules::agent
