// Dates that people write: what search engines take for unavailable_after, what sitemaps and feeds hold.
#pragma once

#include <optional>
#include <string_view>

#include <robotrules/store.hpp>

namespace robotrules::agent {

// ISO 8601 ("2025-08-25", "2025-08-25T15:00Z", "20250825T150000+0200"; also the form of W3C's note that sitemaps use),
// RFC 822 and its followers, RFC 850, asctime, and what lies between: "25-Aug-2007 15:00:00 EST", "Aug 25, 2007 3 PM".
//
// A weekday is passed over. Without a time the day's first moment is meant, without a zone UTC. Zones are UTC, GMT, UT,
// Z, those of RFC 822 ("EST", "PDT") and offsets. A year of two digits is 1950..2049 (RFC 5322 section 4.3). "2025-08"
// and "2025" are the first moment of that month or year. Null where the text is not a date and nothing else.
std::optional<Timestamp> parse_loose_date(std::string_view text) noexcept;

}  // namespace robotrules::agent
