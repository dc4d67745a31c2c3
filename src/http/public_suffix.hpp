// The public suffix list, from libpsl.
#pragma once

#include <string>

namespace robotrules::agent {

// Returns true for "co.uk", "github.io" and names without a dot; false for addresses.
bool is_public_suffix(const std::string& host);
// Returns "example.co.uk" for "www.example.co.uk". Returns an address or a public suffix unchanged.
std::string registrable_domain(const std::string& host);

}  // namespace robotrules::agent
