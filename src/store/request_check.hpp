// Checks of arguments that all backends share.
#pragma once

#include <optional>
#include <string>

#include <robotrules/base.hpp>
#include <robotrules/store.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

// Return the error "invalid-request", or null if the argument is valid.
ROBOTRULES_INTERNAL_API std::optional<Error> find_fault(const ReserveRequest& request);
ROBOTRULES_INTERNAL_API std::optional<Error> find_fault(std::chrono::microseconds lease);

// Returns the error "other-agent", or null if the robot's name may change from `kept` to `next`.
ROBOTRULES_INTERNAL_API std::optional<Error> find_fault(const std::string& kept, const std::string& next,
                                                        OtherAgent other);

// Returns the error "store-forked". `name`: of the store.
ROBOTRULES_INTERNAL_API Error forked(const std::string& name);
// Returns the error "unknown-token".
ROBOTRULES_INTERNAL_API Error unknown_token(std::uint64_t fence);

// Returns the error, or nothing.
template <class T>
Result<void> without_value(const Result<T>& result) {
  return result ? Result<void>() : Result<void>(result.error());
}

// The longest interval, hold, penalty and lease that a request may have.
inline constexpr std::chrono::hours max_duration{24 * 366};

}  // namespace robotrules::store
