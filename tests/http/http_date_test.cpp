// RFC 9110 section 5.6.7 (HTTP-date), section 10.2.3 (Retry-After), and dates that people write.
#include <gtest/gtest.h>

#include <chrono>

#include "fields/http_date.hpp"
#include "fields/loose_date.hpp"
#include "fields/retry_after.hpp"

namespace robotrules::agent {
namespace {

using namespace std::chrono;

constexpr Timestamp at(int y, unsigned m, unsigned d, int h = 0, int min = 0, int s = 0) {
  return sys_days(year(y) / month(m) / day(d)) + hours(h) + minutes(min) + seconds(s);
}
constexpr Timestamp now = at(2026, 6, 1, 12);
constexpr Timestamp example = at(1994, 11, 6, 8, 49, 37);

TEST(HttpDate, AllThreeFormsOfSection567AreTheSameMoment) {
  for (const char* text :
       {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "sun, 6 nov 1994 08:49:37 utc", " Sun, 06 Nov 1994 08:49:37 GMT "}) {
    EXPECT_EQ(parse_http_date(text, now), example) << text;
  }
}

TEST(HttpDate, WhatIsNoneOfThemIsNoDate) {
  for (const char* text :
       {"", "0", "-1", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST",
        "Sun, 06 Nov 1994 08:49:37 GMTx", "Sun, 06 Nov 0000 08:49:37 GMT", "1994-11-06T08:49:37Z",
        "Sun, 06 Nvo 1994 08:49:37 GMT", "Sun, 006 Nov 1994 08:49:37 GMT", "Sux, 06 Nov 1994 08:49:37 GMT"}) {
    EXPECT_FALSE(parse_http_date(text, now)) << text;
  }
}

TEST(HttpDate, ALeapSecondIsTheNextMinutesFirst) {
  EXPECT_EQ(parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT", now), at(2017, 1, 1));
}

TEST(HttpDate, ATwoDigitYearMoreThan50YearsAheadIsInThePast) {
  EXPECT_EQ(parse_http_date("Monday, 01-Jun-76 11:00:00 GMT", now), at(2076, 6, 1, 11));
  EXPECT_EQ(parse_http_date("Monday, 01-Jun-77 11:00:00 GMT", now), at(1977, 6, 1, 11));
  EXPECT_EQ(parse_http_date("Monday, 01-Dec-76 11:00:00 GMT", now), at(1976, 12, 1, 11));
  EXPECT_EQ(parse_http_date("Thursday, 01-Jan-70 00:00:00 GMT", at(1999, 12, 31)), at(1970, 1, 1));
  EXPECT_EQ(parse_http_date("Saturday, 01-Jan-05 00:00:00 GMT", at(1999, 12, 31)), at(2005, 1, 1));
  EXPECT_TRUE(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", Timestamp::max()));
  EXPECT_FALSE(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", Timestamp::min()));
}

TEST(HttpDate, IsWrittenAsFixdate) {
  EXPECT_EQ(format_http_date(example), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(format_http_date(example + 999'999us), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(format_http_date(at(1969, 12, 31, 23, 59, 59)), "Wed, 31 Dec 1969 23:59:59 GMT");
  EXPECT_EQ(format_http_date(Timestamp::max()), "Fri, 31 Dec 9999 23:59:59 GMT");
  EXPECT_EQ(format_http_date(Timestamp::min()), "Mon, 01 Jan 0001 00:00:00 GMT");
}

TEST(HttpDate, EveryDayIsReadAsItWasWritten) {
  for (sys_days day = year(1900) / 1 / 1; day < sys_days(year(2101) / 1 / 1); day += days(1)) {
    const Timestamp time = day + 86'399s;
    ASSERT_EQ(parse_http_date(format_http_date(time), now), time) << format_http_date(time);
  }
}

TEST(LooseDate, FormsThatGoogleDocumentsAndThoseLikeThem) {
  const struct {
    const char* text;
    Timestamp time;
  } rows[] = {{"25 Jun 2010 15:00:00 PST", at(2010, 6, 25, 23)},
              {"25-Aug-2007 15:00:00 EST", at(2007, 8, 25, 20)},
              {"2020-09-21", at(2020, 9, 21)},
              {"2020-09-21T10:30", at(2020, 9, 21, 10, 30)},
              {"2020-09-21T10:30:15Z", at(2020, 9, 21, 10, 30, 15)},
              {"2020-09-21 10:30:15.123+02:00", at(2020, 9, 21, 8, 30, 15)},
              {"20200921T103015-0130", at(2020, 9, 21, 12, 0, 15)},
              {"2020-09", at(2020, 9, 1)},
              {"2020", at(2020, 1, 1)},
              {"2020/09/21", at(2020, 9, 21)},
              {"Saturday, 25-Jun-10 15:00:00 GMT", at(2010, 6, 25, 15)},
              {"Sat, 25 Jun 2010 15:00:00 +0200", at(2010, 6, 25, 13)},
              {"15-Aug-05 15:52:01 UTC", at(2005, 8, 15, 15, 52, 1)},
              {"15-Aug-95 15:52:01 UTC", at(1995, 8, 15, 15, 52, 1)},
              {"Sun Nov  6 08:49:37 1994", example},
              {"Aug 25, 2007 3 PM", at(2007, 8, 25, 15)},
              {"August 25th, 2007 at 12:05 am", at(2007, 8, 25, 0, 5)},
              {"25 Aug 2007 12:00 GMT+2", at(2007, 8, 25, 10)},
              {"6 Nov 1994", at(1994, 11, 6)}};
  for (const auto& row : rows) EXPECT_EQ(parse_loose_date(row.text), row.time) << row.text;
}

TEST(LooseDate, WhatIsNoDateIsNone) {
  for (const char* text : {"", "soon", "25", "25 Jun", "Jun 2010", "2010-13-01", "2010-02-30", "2010-06-25T25:00",
                           "25 Jun 2010 15:00:00 XYZ", "25 Jun 2010 15:00:00 GMT extra", "25 Jun 2010 13 PM",
                           "12345-06-25", "25 Jun Jul 2010", "25 26 27 Jun 2010", "2010-06-25T10:30+99:00",
                           "25/06/2010", "never", "2010-6-25", "2010-06-25Tabc"}) {
    EXPECT_FALSE(parse_loose_date(text)) << text;
  }
  EXPECT_FALSE(parse_loose_date("2020-09-21" + std::string(1000, '0')));
}

TEST(RetryAfter, IsSecondsOrADateByTheServersOwnClock) {
  const std::string in_an_hour = format_http_date(now + 1h);
  EXPECT_EQ(parse_retry_after("120", std::nullopt, now), 120s);
  EXPECT_EQ(parse_retry_after(" 1 ", now, now), 1s);
  EXPECT_EQ(parse_retry_after(in_an_hour, std::nullopt, now), 1h);
  EXPECT_EQ(parse_retry_after(in_an_hour, now + 59min, now), 1min);  // the server's clock is ahead
  EXPECT_EQ(parse_retry_after(in_an_hour, now - 23h, now), 24h);     // and behind
}

TEST(RetryAfter, ZeroPastAndMalformedAreNone) {
  for (const char* none : {"", "0", "000", "-1", "1.5", "soon", "1 s", "Sun, 06 Nov 1994 08:49:37 GMT", "0x10", "+5"}) {
    EXPECT_FALSE(parse_retry_after(none, std::nullopt, now)) << none;
  }
  EXPECT_FALSE(parse_retry_after(format_http_date(now), now, now));
}

TEST(RetryAfter, HugeOnesAreCapped) {
  EXPECT_EQ(parse_retry_after("99999999999999999999999999", now, now), max_retry_after);
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", now, now), max_retry_after);
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", Timestamp::min(), now), max_retry_after);
}

}  // namespace
}  // namespace robotrules::agent
