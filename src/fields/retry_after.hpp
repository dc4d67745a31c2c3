// Retry-After (RFC 9110 section 10.2.3).
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include <robotrules/headers.hpp>
#include <robotrules/store.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

inline constexpr std::chrono::microseconds max_retry_after = std::chrono::hours(24 * 365);

// Returns how long not to ask again, from 1 s to max_retry_after. The field is a number of seconds or a date. From
// a date, the response's own `date` is subtracted (`now` if it has none), so the clocks of both machines need not
// agree. Returns null if the field is zero, in the past or malformed.
std::optional<std::chrono::microseconds> parse_retry_after(std::string_view value, std::optional<Timestamp> date,
                                                           Timestamp now) noexcept;

// The same for the Retry-After and Date fields of a response. Returns null if there is no Retry-After.
ROBOTRULES_INTERNAL_API std::optional<std::chrono::microseconds> retry_after_of(const Headers& headers, Timestamp now);

}  // namespace robotrules::agent
