// Points in time in the format of HTTP.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// The parts of a date as read. `month` and `day` count from 1. `offset_minutes` is how far the zone is ahead of UTC.
struct CivilTime {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;  // up to 60
  int offset_minutes = 0;
};
// Returns null if the day or the time does not exist, or if the year is not in 1..9999.
std::optional<Timestamp> to_timestamp(const CivilTime& time) noexcept;

// Returns 1..12 for the first three letters or the whole name of a month, in any case; 0 for other text.
int month_number(std::string_view name) noexcept;
bool is_weekday(std::string_view name) noexcept;

// Reads the three formats of RFC 9110 section 5.6.7: "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"
// and "Sun Nov  6 08:49:37 1994". A year of two digits is the next one that ends so, if it is at most 50 years after
// `now`, else the last one. Case, a wrong weekday and a missing zero of the day are accepted, and "UTC" counts as GMT.
// Returns null for everything else.
ROBOTRULES_INTERNAL_API std::optional<Timestamp> parse_http_date(std::string_view text, Timestamp now) noexcept;

// Returns "Sun, 06 Nov 1994 08:49:37 GMT". Times after the year 9999 become its last second, times before the year 1
// its first.
ROBOTRULES_INTERNAL_API std::string format_http_date(Timestamp time);

}  // namespace robotrules::agent
