// RFC 9111 sections 4.2 and 5.2 for a private cache, and the lifetime of a robots.txt (RFC 9309 section 2.4).
#include <robotrules/page.hpp>

#include <gtest/gtest.h>

#include <string>

#include "fields/http_date.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono;
using agent::format_http_date;

constexpr Timestamp now = sys_days(year(2026) / 6 / 1) + 12h;
const std::string date = format_http_date(now);

std::optional<microseconds> lifetime(std::vector<std::string_view> cache_control) {
  return read_freshness({.cache_control = std::move(cache_control), .date = date, .received_at = now}).lifetime;
}

TEST(Rfc9111Section52, MaxAgeIsReadInBothFormsAndInAnyCase) {
  EXPECT_EQ(lifetime({"max-age=600"}), 600s);
  EXPECT_EQ(lifetime({"Max-Age=\"600\""}), 600s);
  EXPECT_EQ(lifetime({"public, max-age = 600 , x"}), 600s);
  EXPECT_EQ(lifetime({"public", "no-transform", "max-age=600"}), 600s);
  EXPECT_EQ(lifetime({R"(ext="a, max-age=5, \", no-store", max-age=600)"}), 600s);
  EXPECT_EQ(lifetime({"max-age=\"600"}), 600s);
}

TEST(Rfc9111Section421, OfSeveralTheFirstCounts) {
  EXPECT_EQ(lifetime({"max-age=600, max-age=1"}), 600s);
  EXPECT_EQ(lifetime({"max-age=1", "max-age=600"}), 1s);
}

TEST(Rfc9111Section421, InvalidMaxAgeIsStale) {
  for (const char* bad :
       {"max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=abc", "max-age=1 0", "max-age=\"\""}) {
    EXPECT_EQ(lifetime({bad}), 0s) << bad;
  }
}

TEST(Rfc9111Section122, DeltaSecondsBeyond2To31AreThat) {
  EXPECT_EQ(lifetime({"max-age=99999999999999999999999"}), 2'147'483'648s);
  EXPECT_EQ(lifetime({"max-age=2147483649"}), 2'147'483'648s);
}

TEST(Rfc9111Section5210, SharedMaxAgeIsNotForAPrivateCache) {
  EXPECT_EQ(lifetime({"s-maxage=600"}), std::nullopt);
  EXPECT_EQ(lifetime({"s-maxage=600, max-age=5"}), 5s);
}

TEST(Rfc9111Section53, ExpiresIsMeasuredFromDateAndYieldsToMaxAge) {
  const std::string expires = format_http_date(now + 100s);
  CacheFields fields{.expires = expires, .date = date, .received_at = now + 1h};
  EXPECT_EQ(read_freshness(fields).lifetime, 100s);
  fields.date = std::nullopt;
  fields.received_at = now + 40s;
  EXPECT_EQ(read_freshness(fields).lifetime, 60s);
  fields.cache_control = {"max-age=7"};
  EXPECT_EQ(read_freshness(fields).lifetime, 7s);
}

TEST(Rfc9111Section53, InvalidExpiresHasExpired) {
  for (const char* bad : {"0", "", "-1", "Thu, 01 Jan 1981 00:00:00 GMT", "never"}) {
    const Freshness found = read_freshness({.expires = bad, .date = date, .received_at = now});
    EXPECT_EQ(found.lifetime, 0s) << bad;
    EXPECT_FALSE(found.is_fresh(now)) << bad;
  }
}

TEST(Rfc9111Section423, AgeIsTheGreaterOfWhatClocksAndFieldsSay) {
  const std::string old = format_http_date(now - 30s);
  EXPECT_EQ(read_freshness({.date = old, .received_at = now}).age_when_received, 30s);
  EXPECT_EQ(read_freshness({.age = "50", .date = old, .received_at = now}).age_when_received, 50s);
  EXPECT_EQ(read_freshness({.age = "50", .date = old, .requested_at = now - 3s, .received_at = now}).age_when_received,
            53s);
  EXPECT_EQ(read_freshness({.age = "10", .date = old, .received_at = now}).age_when_received, 30s);
  EXPECT_EQ(read_freshness({.date = format_http_date(now + 1h), .received_at = now}).age_when_received, 0s);
  EXPECT_EQ(read_freshness({.received_at = now}).current_age(now + 5s), 5s);
  EXPECT_EQ(read_freshness({.received_at = now}).current_age(now - 5s), 0s);
}

TEST(Rfc9111Section51, OfAListOfAgesTheFirstCountsAndAnInvalidOneIsIgnored) {
  EXPECT_EQ(read_freshness({.age = "5, 70", .received_at = now}).age_when_received, 5s);
  EXPECT_EQ(read_freshness({.age = "-5", .received_at = now}).age_when_received, 0s);
  EXPECT_EQ(read_freshness({.age = "x", .received_at = now}).age_when_received, 0s);
}

TEST(Rfc9111Section42, FreshIsWhatIsYoungerThanItsLifetime) {
  const Freshness found =
      read_freshness({.cache_control = {"max-age=60"}, .age = "10", .date = date, .received_at = now});
  EXPECT_EQ(found.fresh_until(), now + 50s);
  EXPECT_TRUE(found.is_fresh(now + 49s));
  EXPECT_FALSE(found.is_fresh(now + 50s));
  EXPECT_FALSE(read_freshness({.cache_control = {"max-age=0"}, .age = "5", .received_at = now}).is_fresh(now));
  EXPECT_FALSE(read_freshness({.received_at = now}).is_fresh(now));
  EXPECT_EQ(read_freshness({.received_at = now}).fresh_until(), std::nullopt);
}

TEST(Rfc9111Section5224, NoCacheIsNeverFreshWithOrWithoutFieldNames) {
  for (const char* text : {"no-cache, max-age=60", "max-age=60, no-cache=\"set-cookie\"", "NO-CACHE,max-age=60"}) {
    const Freshness found = read_freshness({.cache_control = {text}, .received_at = now});
    EXPECT_TRUE(found.no_cache) << text;
    EXPECT_EQ(found.lifetime, 60s) << text;
    EXPECT_FALSE(found.is_fresh(now)) << text;
  }
  const Freshness other = read_freshness({.cache_control = {"no-store", "must-revalidate"}, .received_at = now});
  EXPECT_TRUE(other.no_store && other.must_revalidate && !other.no_cache);
  EXPECT_FALSE(read_freshness({.cache_control = {"x-no-store"}, .received_at = now}).no_store);
}

TEST(Rfc9111Section422, ATenthOfTheTimeSinceLastModifiedWhereAsked) {
  const std::string modified = format_http_date(now - 100h);
  const CacheFields fields{.date = date, .last_modified = modified, .received_at = now};
  EXPECT_EQ(read_freshness(fields).lifetime, std::nullopt);
  const Freshness guess = read_freshness(fields, {.heuristic = true});
  EXPECT_TRUE(guess.heuristic);
  EXPECT_EQ(guess.lifetime, 10h);
  EXPECT_EQ(read_freshness(fields, {.heuristic = true, .heuristic_most = 1h}).lifetime, 1h);
  const std::string future = format_http_date(now + 1h);
  EXPECT_EQ(read_freshness({.date = date, .last_modified = future, .received_at = now}, {.heuristic = true}).lifetime,
            0s);
}

TEST(Freshness, TimesStopAtTheEndsOfTheirScale) {
  for (const Timestamp received : {Timestamp::min(), Timestamp::max(), now}) {
    for (const Timestamp requested : {Timestamp::min(), Timestamp::max()}) {
      const Freshness found = read_freshness({.cache_control = {"max-age=99999999999"},
                                              .age = "99999999999",
                                              .date = date,
                                              .requested_at = requested,
                                              .received_at = received});
      EXPECT_GE(found.age_when_received, 0s);
      EXPECT_GE(found.current_age(Timestamp::max()), found.current_age(Timestamp::min()));
      EXPECT_TRUE(found.fresh_until().has_value());
    }
  }
}

TEST(Rfc9309Section24, ARobotsTxtIsFreshForItsLifetimeButFiveMinutesAndNoMoreThanADay) {
  const auto of = [](std::vector<std::string_view> cache_control, std::optional<std::string_view> age = std::nullopt) {
    return robots_freshness(
        read_freshness({.cache_control = std::move(cache_control), .age = age, .received_at = now}));
  };
  EXPECT_EQ(of({}), 24h);
  EXPECT_EQ(of({"max-age=3600"}), 1h);
  EXPECT_EQ(of({"max-age=3600"}, "600"), 50min);
  EXPECT_EQ(of({"max-age=31536000"}), 24h);
  EXPECT_EQ(of({"max-age=1"}), 5min);
  EXPECT_EQ(of({"max-age=0"}, "5"), 5min);  // stale on arrival
  EXPECT_EQ(of({"max-age=10"}, "3600"), 5min);
  EXPECT_EQ(of({"no-cache"}), 5min);
  EXPECT_EQ(of({"no-store, max-age=3600"}), 5min);
  EXPECT_EQ(robots_freshness(read_freshness({.expires = "Thu, 01 Jan 1981 00:00:00 GMT", .received_at = now})), 5min);
  EXPECT_EQ(robots_freshness(read_freshness({.received_at = now}), {.unsaid = 1h}), 1h);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
