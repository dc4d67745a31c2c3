// The name of a store on a server: SCHEME://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]...][/PATH][?NAME=VALUE&...]
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

struct ROBOTRULES_INTERNAL_API ServerAddress {
  std::string host;  // a name, an IPv4 address, or an IPv6 address without brackets
  std::uint16_t port = 0;
  std::string text() const;  // "host:port", for messages; an IPv6 address in brackets
  friend bool operator==(const ServerAddress&, const ServerAddress&) = default;
};

// The parts of a name. %XX is decoded in user, password, path and values.
struct ServerName {
  std::string scheme;
  std::string user;
  std::string password;
  std::vector<ServerAddress> addresses;  // at least one
  std::string path;                      // without the first "/"
  std::vector<std::pair<std::string, std::string>> settings;
};

// Fails with "store-name". The message contains no password.
ROBOTRULES_INTERNAL_API Result<ServerName> parse_server_name(std::string_view name, std::uint16_t default_port);

// The fault of a name with characters that must be encoded, and the remedy.
inline constexpr std::string_view encode_hint =
    "its parts cannot be told apart; in a user, a password and a setting write \"@\", \":\", \"/\", \"?\" and \"#\" as "
    "%40, %3A, %2F, %3F and %23";

}  // namespace robotrules::store
