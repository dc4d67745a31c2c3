// Which ports may be requested.
#pragma once

#include <cstdint>
#include <string>

namespace robotrules::agent {

// What to say of a URL whose port ConnectionOptions does not permit.
std::string port_refusal(std::uint16_t port);

}  // namespace robotrules::agent
