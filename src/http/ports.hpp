// The ports that may be requested.
#pragma once

#include <cstdint>
#include <string>

namespace robotrules::agent {

// Returns the end of the sentence for a URL whose port ConnectionOptions does not permit.
std::string port_refusal(std::uint16_t port);

}  // namespace robotrules::agent
