// How far a RobotUA keeps from a site: what arms the interval and what does not.
#include <gtest/gtest.h>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";

// Four pages of a site whose robots.txt holds `lines` for everybody.
std::vector<std::chrono::milliseconds> gaps_of(const std::string& lines, const RobotUAOptions& options,
                                               std::chrono::microseconds later = 0s) {
  RobotRig rig(options);
  rig.loop->advance(later);  // the clock begins at 12:00
  rig.site(a, "User-agent: *\n" + lines);
  for (int i = 0; i < 4; ++i) rig.start("http://a.test/" + std::to_string(i));
  EXPECT_TRUE(rig.loop->until([&] { return rig.answered() == 4; }));
  return rig.gaps();
}

std::vector<std::chrono::milliseconds> thrice(std::chrono::milliseconds gap) { return std::vector(3, gap); }

TEST(Pace, TheDelayLiesBetweenThePagesOfASite) {
  EXPECT_EQ(gaps_of("", delayed(60s)), thrice(60s));
  EXPECT_EQ(gaps_of("", delayed(1ms)), thrice(1ms));
  EXPECT_EQ(gaps_of("", delayed(0ms)), thrice(0ms));
}

TEST(Pace, ACrawlDelayCountsUpToItsCapAndTheLargerHolds) {
  EXPECT_EQ(gaps_of("Crawl-delay: 10\n", delayed(1s)), thrice(10s));
  EXPECT_EQ(gaps_of("Crawl-delay: 0.5\n", undelayed()), thrice(500ms));
  EXPECT_EQ(gaps_of("Crawl-delay: 10\n", delayed(60s)), thrice(60s));
  EXPECT_EQ(gaps_of("Crawl-delay: 3600\n", delayed(1s)), thrice(3600s));
  RobotUAOptions patient = delayed(1s);
  patient.max_wait = 24h;
  EXPECT_EQ(gaps_of("Crawl-delay: 86400\n", patient), thrice(24h));
  EXPECT_EQ(gaps_of("Crawl-delay: 99999\n", patient), thrice(24h));
  RobotUAOptions deaf = delayed(1s);
  deaf.pace.obey_crawl_delay = false;
  EXPECT_EQ(gaps_of("Crawl-delay: 10\n", deaf), thrice(1s));
}

TEST(Pace, ARequestRateCountsAtItsTimeOfDay) {
  EXPECT_EQ(gaps_of("Request-rate: 1/10s\n", delayed(1s)), thrice(10s));
  EXPECT_EQ(gaps_of("Request-rate: 30/1m\n", delayed(1s)), thrice(2s));
  EXPECT_EQ(gaps_of("Request-rate: 1/1h\n", delayed(1s)), thrice(1h));
  EXPECT_EQ(gaps_of("Request-rate: 1/10s 1800-1900\n", delayed(1s)), thrice(1s));
  EXPECT_EQ(gaps_of("Request-rate: 1/10s 1800-1900\n", delayed(1s), 6h), thrice(10s));
  EXPECT_EQ(gaps_of("Request-rate: 1/10s 2300-1300\n", delayed(1s)), thrice(10s));
  RobotUAOptions deaf = delayed(1s);
  deaf.pace.obey_request_rate = false;
  EXPECT_EQ(gaps_of("Request-rate: 1/10s\n", deaf), thrice(1s));
}

// The default is an hour, and never less than the delay; a program may set another one.
TEST(Pace, AWaitBeyondTheLimitIsAnsweredAtOnceWithItsTime) {
  const struct {
    const char* robots;
    std::chrono::seconds delay;
    std::optional<std::chrono::seconds> max_wait;
    std::chrono::seconds wait;
    bool parked;
  } cases[] = {{"", 60s, {}, 60s, false},
               {"", 2h, {}, 2h, false},
               {"", 2h, 1h, 2h, true},
               {"Crawl-delay: 3600\n", 1s, {}, 1h, false},
               {"Crawl-delay: 3601\n", 1s, {}, 3601s, true},
               {"Crawl-delay: 3601\n", 2h, {}, 2h, false},
               {"Request-rate: 1/2h\n", 1s, {}, 2h, true},
               {"Request-rate: 1/2h\n", 1s, 2h, 2h, false},
               {"Visit-time: 1200-1200\n", 1min, {}, 24h, true},
               {"Visit-time: 1200-1200\n", 1min, 24h, 24h, false}};
  for (const auto& one : cases) {
    RobotUAOptions options = delayed(one.delay);
    options.max_wait = one.max_wait;
    RobotRig rig(options);
    rig.site(a, std::string("User-agent: *\n") + one.robots);
    ASSERT_EQ(rig.fetch("http://a.test/1").code, 200);
    const Timestamp then = rig.clock->now();
    const Response second = rig.fetch("http://a.test/2");
    const std::string name = std::string(one.robots) + std::to_string(one.delay.count());
    EXPECT_EQ(second.source, one.parked ? ResponseSource::parked : ResponseSource::server) << name;
    EXPECT_LE(rig.clock->now() - then, one.parked ? 1min : one.wait) << name;
    if (one.parked) {
      EXPECT_EQ(second.try_again_at, then + one.wait) << name << second.warning;
    }
  }
}

TEST(Pace, ALongerDelayRaisesTheDefaultLimitOnWaits) {
  RobotRig rig(delayed(1s));
  rig.site(a, "");
  rig.fetch("http://a.test/1");
  rig.agent().delay(3h);
  EXPECT_EQ(rig.fetch("http://a.test/2").code, 200);
  EXPECT_EQ(rig.gaps(), std::vector{std::chrono::milliseconds(3h)});
}

TEST(Pace, NoPageIsFetchedOutsideOfItsVisitTime) {
  RobotUAOptions patient = delayed(40s);
  patient.max_wait = 24h;
  RobotRig rig(patient);
  rig.site(a, "User-agent: *\nVisit-time: 1300-1300\n");  // 13:00:00 to 13:00:59
  for (int i = 0; i < 4; ++i) rig.start("http://a.test/" + std::to_string(i));
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 4; }));
  std::vector<std::chrono::microseconds> times;
  for (const WireRequest& page : rig.pages()) times.push_back(page.since);
  EXPECT_EQ(times, (std::vector<std::chrono::microseconds>{1h, 1h + 40s, 25h, 25h + 40s}));
}

TEST(Pace, AVisitTimeMayRunOverMidnight) {
  RobotUAOptions patient = undelayed();
  patient.max_wait = 24h;
  RobotRig rig(patient);
  rig.site(a, "User-agent: *\nVisit-time: 2330-0029\n");
  rig.fetch("http://a.test/1");
  EXPECT_EQ(rig.since_start(), 11h + 30min);
  rig.loop->advance(59min);  // 00:29
  rig.fetch("http://a.test/2");
  EXPECT_EQ(rig.since_start(), 12h + 29min);
  rig.loop->advance(1min);
  rig.fetch("http://a.test/3");
  EXPECT_EQ(rig.since_start(), 35h + 30min);
}

TEST(Pace, WithoutSleepAVisitTimeIsTooEarly) {
  RobotUAOptions options = undelayed();
  options.use_sleep = false;
  RobotRig rig(options);
  rig.site(a, "User-agent: *\nVisit-time: 1300-1400\n");
  for (int i = 0; i < 3; ++i) rig.start("http://a.test/" + std::to_string(i));
  rig.loop->run();
  ASSERT_EQ(rig.answered(), 3U);
  EXPECT_EQ(rig.answer(2).source, ResponseSource::too_early);
  EXPECT_EQ(rig.answer(2).try_again_at, rig.clock->now() + 1h);
}

TEST(Pace, AnAdaptiveIntervalFollowsTheResponseJustHad) {
  RobotUAOptions options = delayed(1s);
  options.pace.adaptive = 10;
  RobotRig rig(options);
  rig.site(a, "");
  rig.transport->on("http://a.test/slow", {.latency = 2s});
  rig.transport->on("http://a.test/stuck", {.latency = 100s});
  rig.fetch("http://a.test/slow");
  rig.fetch("http://a.test/quick");
  rig.fetch("http://a.test/stuck");
  rig.fetch("http://a.test/quick");
  // 2 s and ten times as long; the delay; 100 s and the cap.
  EXPECT_EQ(rig.gaps(), (std::vector{22'000ms, 1'000ms, 400'000ms}));
}

TEST(Pace, TheIntervalIsMeasuredFromTheEndUnlessAskedOtherwise) {
  for (const bool from_start : {false, true}) {
    RobotUAOptions options = delayed(10s);
    options.pace.from_start = from_start;
    RobotRig rig(options);
    rig.site(a, "");
    rig.transport->on("*", {.latency = 4s});
    for (int i = 0; i < 4; ++i) rig.start("http://a.test/" + std::to_string(i));
    ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 4; }));
    EXPECT_EQ(rig.gaps(), thrice(from_start ? 10s : 14s));
  }
}

TEST(Pace, OnlySoManyRequestsAreInFlightOnASite) {
  for (const std::uint32_t most : {1U, 3U}) {
    RobotUAOptions options = undelayed();
    options.pace.max_in_flight = most;
    RobotRig rig(options);
    rig.site(a, "");
    rig.transport->on("*", {.latency = 1s});
    for (int i = 0; i < 12; ++i) rig.start("http://a.test/" + std::to_string(i));
    ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 12; }));
    EXPECT_EQ(rig.transport->most_in_flight(), most);
    EXPECT_EQ(rig.since_start(), std::chrono::seconds(12 / most));
  }
}

TEST(Pace, ByHostThePortsAndSchemesOfAHostAreOne) {
  for (const bool by_host : {false, true}) {
    RobotUAOptions options = delayed(10s);
    options.pace.by_host = by_host;
    RobotRig rig(options);
    for (const char* url : {"http://a.test/", "https://a.test/", "http://a.test:8080/", "http://b.test/"}) {
      rig.start(url);
    }
    ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 4; }));
    EXPECT_EQ(rig.since_start(), by_host ? 20s : 0s);
    EXPECT_EQ(rig.pages("http://b.test").at(0).since, 0s);
  }
}

TEST(Pace, ByDomainTheHostsOfARegistrableDomainAreOne) {
  for (const bool by_domain : {false, true}) {
    RobotUAOptions options = delayed(10s);
    options.pace.by_domain = by_domain;
    RobotRig rig(options);
    for (const char* url : {"http://www.example.co.uk/", "http://img.example.co.uk/", "https://example.co.uk/",
                            "http://other.co.uk/", "http://192.0.2.1/", "http://192.0.2.2/"}) {
      rig.start(url);
    }
    ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 6; }));
    EXPECT_EQ(rig.since_start(), by_domain ? 20s : 0s);
    for (const char* other : {"http://other.co.uk", "http://192.0.2.1", "http://192.0.2.2"}) {
      EXPECT_EQ(rig.pages(other).at(0).since, 0s);
    }
  }
}

TEST(Pace, RobotsTxtNeitherWaitsForTheIntervalNorArmsIt) {
  RobotRig rig(delayed(10min));
  rig.site(a, "", "max-age=300");
  rig.fetch("http://a.test/1");
  EXPECT_EQ(rig.since_start(), 0s);  // right behind robots.txt
  rig.loop->advance(6min);
  EXPECT_EQ(rig.consult("http://a.test/2").access, Access::allowed);
  EXPECT_EQ(rig.since_start(), 6min);  // not at ten minutes
  EXPECT_EQ(rig.robots(a), 2U);
  rig.fetch("http://a.test/2");
  EXPECT_EQ(rig.gaps(), std::vector{600'000ms});
}

TEST(Pace, RobotsTxtObeysPenaltiesAndHolds) {
  RobotRig rig;
  rig.site(a, "", "max-age=300");
  rig.transport->on("http://a.test/1", {.status = 429, .headers = {{"Retry-After", "1000"}}});
  rig.fetch("http://a.test/1");
  rig.loop->advance(400s);
  rig.fetch("http://a.test/2");
  EXPECT_EQ(rig.robots(a), 2U);
  EXPECT_EQ(rig.transport->log("http://a.test/robots.txt").at(1).since, 1000s);

  rig.transport->on("http://a.test/3", {.latency = 200s});
  rig.loop->advance(301s);
  rig.start("http://a.test/3");
  rig.loop->run();
  rig.loop->advance(100s);
  ASSERT_TRUE(rig.store->erase_robots(*Origin::of(a)));
  rig.start("http://a.test/4");
  rig.loop->until([&] { return rig.robots(a) == 4; });
  EXPECT_GE(rig.transport->log("http://a.test/robots.txt").at(3).since, rig.pages().back().since);
  EXPECT_EQ(rig.transport->most_in_flight(), 1U);
}

TEST(Pace, ASlowOrBlockedSiteHoldsUpNoOther) {
  RobotRig rig(delayed(1s));
  rig.transport->on("http://slow.test/robots.txt", {.latency = 19s});
  rig.transport->on("http://dead.test/robots.txt", failure(TransferError::connect, 5s));
  rig.transport->on("http://hang.test/1", {.latency = 300s});
  ASSERT_TRUE(rig.store->restore_gate("http://parked.test", rig.clock->now() + 48h, {}));
  ASSERT_TRUE(rig.store->restore_gate("http://penalty.test", rig.clock->now() + 1h, {}));
  for (const char* host : {"slow", "dead", "hang", "parked", "penalty"}) {
    for (int i = 0; i < 20; ++i) rig.start("http://" + std::string(host) + ".test/" + std::to_string(i));
  }
  std::size_t last = 0;
  for (int i = 0; i < 10; ++i) last = rig.start("http://good.test/" + std::to_string(i));
  ASSERT_TRUE(rig.loop->until([&] { return rig.is_answered(last); }));
  EXPECT_EQ(rig.since_start(), 9s);
  EXPECT_EQ(rig.gaps("http://good.test"), std::vector(9, 1'000ms));
}

// A dispatch counts from the moment of its request, not from when it was queued.
TEST(Pace, NoRequestComesTooEarlyWhereThereIsNoRoom) {
  for (const bool from_start : {false, true}) {
    RobotUAOptions options = delayed(1s);
    options.pace.from_start = from_start;
    options.pace.max_in_flight = 4;
    options.http.max_in_flight = 2;
    RobotRig rig(options);
    rig.transport->on("*", {.latency = 700ms});
    for (int i = 0; i < 10; ++i) {
      for (const char* site : {"http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/"}) {
        rig.start(site + std::to_string(i));
      }
    }
    ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 40; }));
    EXPECT_EQ(rig.transport->most_in_flight(), 2U);
    std::chrono::microseconds last_ends{0};
    for (const char* site : {"http://a.test", "http://b.test", "http://c.test", "http://d.test"}) {
      for (const auto gap : rig.gaps(site)) EXPECT_GE(gap, 1s) << site << from_start;
      last_ends = std::max(last_ends, rig.pages(site).front().since);
    }
    EXPECT_LE(last_ends, 5s);  // none of them is left behind
  }
}

TEST(Pace, EveryHopOfARedirectIsCheckedAndPaced) {
  RobotRig rig(delayed(10s));
  rig.site(a, "User-agent: *\nDisallow: /secret\n");
  rig.site("http://b.test", "User-agent: *\nDisallow: /no\n");
  rig.transport->on("http://a.test/1", {.status = 302, .headers = {{"Location", "/2"}}});
  rig.transport->on("http://a.test/2", {.status = 302, .headers = {{"Location", "/secret"}}});
  rig.transport->on("http://a.test/3", {.status = 302, .headers = {{"Location", "http://b.test/no"}}});
  const Response denied = rig.fetch("http://a.test/1");
  EXPECT_EQ(denied.source, ResponseSource::robots_denied);
  EXPECT_EQ(denied.url, "http://a.test/secret");
  EXPECT_EQ(denied.redirects().size(), 2U);
  EXPECT_EQ(rig.gaps(), std::vector{10'000ms});
  EXPECT_EQ(rig.fetch("http://a.test/3").url, "http://b.test/no");
  EXPECT_EQ(rig.robots("http://b.test"), 1U);
  EXPECT_EQ(rig.pages().size(), 3U);
  EXPECT_TRUE(rig.pages("http://b.test").empty());
}

TEST(Pace, AChallengeThatIsAnsweredIsPaced) {
  RobotUAOptions options = delayed(10s);
  options.http.credentials = {{"a.test:80", "", "me", "secret"}};
  RobotRig rig(options);
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {{.status = 401, .headers = {{"WWW-Authenticate", "Basic realm=\"r\""}}}, {}});
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
  EXPECT_EQ(rig.gaps(), std::vector{10'000ms});
}

TEST(Pace, AClockThatIsSetShortensNoGapAndMakesNoWaitEndless) {
  for (const auto jump : {-24h, -1h, 1h, 24h * 3650, -24h * 3650}) {
    RobotRig rig(delayed(1min));
    rig.site(a, "");
    rig.fetch("http://a.test/1");
    rig.loop->advance(10s);
    const auto before = rig.clock->since_start();
    rig.start("http://a.test/2");
    rig.loop->run();
    rig.clock->jump(jump);
    ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 2; }, 3min)) << jump.count();
    EXPECT_LE(rig.clock->since_start() - before, 2min);
    // What was set forwards has passed for this store; SQLite's asks the clock that nobody sets.
    EXPECT_GE(rig.gaps().at(0), jump < 0h ? 1min : 10s) << jump.count();
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
