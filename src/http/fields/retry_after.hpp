// Retry-After (RFC 9110 section 10.2.3).
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include <robotrules/headers.hpp>
#include <robotrules/store.hpp>

namespace robotrules::agent {

inline constexpr std::chrono::microseconds longest_retry_after = std::chrono::hours(24 * 365);

// How long to stay away, 1 s up to longest_retry_after: seconds, or a date less the response's own `date` (`now` where
// it has none), so that the two machines' clocks need not agree. Null where the field is zero, past or malformed.
std::optional<std::chrono::microseconds> parse_retry_after(std::string_view value, std::optional<Timestamp> date,
                                                           Timestamp now) noexcept;

// The same of the Retry-After and Date fields of a response. Null if it has no Retry-After.
std::optional<std::chrono::microseconds> retry_after_of(const Headers& headers, Timestamp now);

}  // namespace robotrules::agent
