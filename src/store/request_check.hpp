// Checks of arguments that all backends share.
#pragma once

#include <optional>
#include <string>

#include <robotrules/result.hpp>
#include <robotrules/store.hpp>

namespace robotrules::store {

// Return the error "invalid-request", or null if the argument is valid.
std::optional<Error> find_fault(const ReserveRequest& request);
std::optional<Error> find_fault(std::chrono::microseconds lease);

// Returns the error "other-agent", or null if the robot's name may change from `kept` to `next`.
std::optional<Error> find_fault(const std::string& kept, const std::string& next, OtherAgent other);

// Returns the error "unknown-token".
Error unknown_token(std::uint64_t fence);

// Sets Token::asked_at if the answer is a grant.
Result<ReserveAnswer> asked_at(std::chrono::microseconds time, Result<ReserveAnswer> answer);
GateAnswers asked_at(std::chrono::microseconds time, GateAnswers answers);

// The longest interval, hold, penalty and lease that a request may have.
inline constexpr std::chrono::hours max_duration{24 * 366};

}  // namespace robotrules::store
