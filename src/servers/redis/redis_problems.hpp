// The errors of stores in Redis.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/base.hpp>

#include "servers/redis/reply.hpp"

namespace robotrules::store::redis {

// `server`: "host:port".
Error unreachable(const std::string& server, std::string_view problem);
// Returns what an error reply means. Precondition: reply.is_error().
Error problem_of(const Reply& reply, const std::string& server);
// The reply does not have the form that the command has.
Error strange_reply(const std::string& server);

}  // namespace robotrules::store::redis
