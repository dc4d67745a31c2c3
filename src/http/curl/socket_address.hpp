// IP addresses as sockets and as URLs write them.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/user_agent.hpp>

namespace robotrules::agent {

// The 4 or 16 bytes of an IP address, and its text. Both are empty if there is none.
struct Address {
  std::string bytes;
  std::string text;
};

// Returns the address of a socket.
Address address_of(const sockaddr* address);
// Reads an address; a zone ("%eth0") is ignored.
Address address_of(const char* text);

// Returns the addresses of a host without a name lookup: those of an address in any spelling, or of localhost. Returns
// none for other names.
std::vector<Address> addresses_in(std::string_view host);

// Returns "192.0.2.1:443", or "[2001:db8::1]:443".
std::string with_port(const std::string& address, std::uint16_t port);

std::uint16_t port_of(const sockaddr* address);

// Returns "address", "IPv4 address" or "IPv6 address".
std::string name_of_address(AddressFamily family);
// Returns whether `address`, an address as text, is of that family.
bool is_in(AddressFamily family, std::string_view address) noexcept;

}  // namespace robotrules::agent
