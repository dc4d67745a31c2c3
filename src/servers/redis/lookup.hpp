// The addresses of a host name, with a deadline.
#pragma once

#include <string>
#include <vector>

#include <robotrules/base.hpp>

#include "servers/redis/redis_connection.hpp"

namespace robotrules::store::redis {

// Returns the addresses as text. The system's resolver cannot be stopped, so it works on a thread of its own, which is
// left to itself at the deadline and ends when the resolver gives up. Fails with a sentence in Error::message.
Result<std::vector<std::string>> addresses_of(const std::string& host, Deadline deadline);

}  // namespace robotrules::store::redis
