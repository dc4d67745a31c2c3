// Dates as people write them, for unavailable_after, sitemaps and feeds.
#pragma once

#include <optional>
#include <string_view>

#include <robotrules/store.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// Reads ISO 8601 ("2025-08-25", "2025-08-25T15:00Z", "20250825T150000+0200", with the W3C form of sitemaps), RFC 822
// and its successors, RFC 850, asctime, and mixtures: "25-Aug-2007 15:00:00 EST", "Aug 25, 2007 3 PM".
//
// A weekday is ignored. Without a time, the result is the start of the day; without a zone, UTC. Zones are UTC, GMT,
// UT, Z, those of RFC 822 ("EST", "PDT") and offsets. A year of two digits is in 1950..2049 (RFC 5322 section 4.3).
// "2025-08" and "2025" are the start of that month or year. Returns null if the text is not exactly one date.
ROBOTRULES_INTERNAL_API std::optional<Timestamp> parse_loose_date(std::string_view text) noexcept;

}  // namespace robotrules::agent
