// Points in time as HTTP writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

namespace robotrules::agent {

// Fields of a date as they were read; `month` and `day` count from 1, `offset_minutes` is what the zone is ahead of
// UTC.
struct CivilTime {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;  // up to 60
  int offset_minutes = 0;
};
// Null where there is no such day or time, or the year is not in 1..9999.
std::optional<Timestamp> to_timestamp(const CivilTime& time) noexcept;

// 1..12 of the first three letters or the whole name, in any case; 0 where it is none.
int month_number(std::string_view name) noexcept;
bool is_weekday(std::string_view name) noexcept;

// RFC 9110 section 5.6.7: "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT" (whose year is the one
// within 50 years after `now`, or else the last that ends so) and "Sun Nov  6 08:49:37 1994". Case, the weekday's being
// right and a missing zero of the day do not count; "UTC" is taken for GMT. Null for everything else.
std::optional<Timestamp> parse_http_date(std::string_view text, Timestamp now) noexcept;

// "Sun, 06 Nov 1994 08:49:37 GMT". Years beyond 9999 are written as 9999's last second, those before 1 as its first.
std::string format_http_date(Timestamp time);

}  // namespace robotrules::agent
