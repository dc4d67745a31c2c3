// Checks of requests that every backend makes.
#pragma once

#include <optional>
#include <string>

#include <robotrules/result.hpp>
#include <robotrules/store.hpp>

namespace robotrules::store {

// "invalid-request", or null where the request can be asked.
std::optional<Error> find_fault(const ReserveRequest& request);
std::optional<Error> find_fault(std::chrono::microseconds lease);

// "other-agent", or null where the robot's name may become `next`.
std::optional<Error> find_fault(const std::string& kept, const std::string& next, OtherAgent other);

Error unknown_token(std::uint64_t fence);

// The longest interval and hold that may be asked for.
inline constexpr std::chrono::hours max_duration{24 * 366};

}  // namespace robotrules::store
