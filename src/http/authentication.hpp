// Answers to authentication challenges: Basic (RFC 7617) and Digest (RFC 7616).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::agent {

// A challenge of a server.
struct Challenge {
  bool digest = false;
  std::string realm;
  std::string nonce;
  std::string opaque;
  std::string algorithm;   // as the server wrote it; empty: MD5
  bool qop = false;        // the server offers qop=auth
  bool stale = false;      // only the nonce was wrong
  std::uint32_t uses = 0;  // how often the agent used the nonce
};

// Returns the best challenge that can be answered, Digest before Basic; null: there is none.
std::optional<Challenge> best_challenge(const std::vector<std::string_view>& www_authenticate);

// Returns the value of Authorization and counts the use of the nonce. `client_nonce` must be new for each call.
std::string authorization(Challenge& challenge, std::string_view user, std::string_view password,
                          std::string_view method, std::string_view path_and_query, std::string_view client_nonce);

std::string base64(std::string_view bytes);
// Returns `bytes` random bytes in hexadecimal.
std::string random_hex(std::size_t bytes);

}  // namespace robotrules::agent
