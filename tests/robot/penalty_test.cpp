// What a server asks for with 429, 503 and Retry-After, and how long a RobotUA stays away then.
#include <gtest/gtest.h>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";

// Without a delay, for waits of a day.
RobotUAOptions patient() {
  RobotUAOptions options = undelayed();
  options.max_wait = 24h;
  return options;
}

// How long after an answer the next page is asked for.
std::chrono::milliseconds pause_after(const WireReply& reply) {
  RobotRig rig(patient());
  rig.site(a, "");
  rig.transport->on("http://a.test/1", reply);
  rig.fetch("http://a.test/1");
  rig.fetch("http://a.test/2");
  return rig.gaps().at(0);
}

TEST(Penalty, RetryAfterCountsWithTheStatusesThatMayCarryIt) {
  for (const int status : {429, 503, 403, 307}) {
    EXPECT_EQ(pause_after({.status = status, .headers = {{"Retry-After", "120"}}}), 120s) << status;
  }
  for (const int status : {200, 404, 500}) {
    EXPECT_EQ(pause_after({.status = status, .headers = {{"Retry-After", "120"}}}), 0s) << status;
  }
}

TEST(Penalty, ADateIsCorrectedByTheServersOwnClock) {
  const auto reply = [](const char* date, const char* until) {
    return WireReply{.status = 503, .headers = {{"Date", date}, {"Retry-After", until}}};
  };
  EXPECT_EQ(pause_after(reply("Wed, 01 Jan 2025 12:00:00 GMT", "Wed, 01 Jan 2025 12:02:00 GMT")), 120s);
  EXPECT_EQ(pause_after(reply("Fri, 01 Jan 2021 07:00:00 GMT", "Fri, 01 Jan 2021 07:02:00 GMT")), 120s);
  EXPECT_EQ(pause_after(reply("Thu, 01 Jan 2032 07:00:00 GMT", "Thu, 01 Jan 2032 07:02:00 GMT")), 120s);
  EXPECT_EQ(pause_after({.status = 503, .headers = {{"Retry-After", "Wed, 01 Jan 2025 12:02:00 GMT"}}}), 120s);
}

TEST(Penalty, ZeroPastAndMalformedMeanTheComputedBackOff) {
  for (const char* value : {"0", "-5", "soon", "1.5", "", "Wed, 01 Jan 2020 12:00:00 GMT", "1e3", "60, 90"}) {
    EXPECT_EQ(pause_after({.status = 429, .headers = {{"Retry-After", value}}}), 60s) << value;
  }
  EXPECT_EQ(pause_after({.status = 503}), 5s);
  EXPECT_EQ(pause_after({.status = 503, .headers = {{"Retry-After", "soon"}}}), 5s);
}

TEST(Penalty, TheBackOffDoublesUpToAnHourAndAGoodAnswerEndsIt) {
  RobotRig rig;
  rig.site(a, "");
  rig.transport->on("http://a.test/busy", {.status = 429});
  for (int i = 0; i < 9; ++i) rig.fetch("http://a.test/busy");
  EXPECT_EQ(rig.gaps(), (std::vector<std::chrono::milliseconds>{1min, 2min, 4min, 8min, 16min, 32min, 1h, 1h}));
  rig.fetch("http://a.test/good");
  rig.fetch("http://a.test/busy");
  rig.fetch("http://a.test/good");
  EXPECT_EQ(rig.gaps().back(), 1min);
}

TEST(Penalty, ARowOf503EndsAfterFourAnswers) {
  RobotRig rig;
  rig.site(a, "");
  rig.transport->on("http://a.test/away", {.status = 503});
  for (int i = 0; i < 3; ++i) rig.fetch("http://a.test/away");
  for (int i = 0; i < 3; ++i) rig.fetch("http://a.test/good");
  rig.fetch("http://a.test/away");
  for (int i = 0; i < 4; ++i) rig.fetch("http://a.test/good");
  rig.fetch("http://a.test/away");
  rig.fetch("http://a.test/good");
  EXPECT_EQ(rig.gaps(), (std::vector<std::chrono::milliseconds>{5s, 1min, 2min, 0s, 0s, 0s, 4min, 0s, 0s, 0s, 0s, 5s}));
}

TEST(Penalty, ARetryAfterOfAYearCountsAsADay) {
  for (const int status : {429, 503, 403, 307}) {
    EXPECT_EQ(pause_after({.status = status, .headers = {{"Retry-After", "31536000"}}}), 24h) << status;
  }
  EXPECT_EQ(pause_after({.status = 503, .headers = {{"Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"}}}), 24h);
  EXPECT_EQ(pause_after({.status = 503, .headers = {{"Retry-After", "86399"}}}), 86'399s);
}

TEST(Penalty, TheCapOfRetryAfterIsAnOption) {
  RobotUAOptions options = undelayed();
  options.pace.max_retry_after = 10min;
  RobotRig rig(options);
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {.status = 429, .headers = {{"Retry-After", "31536000"}}});
  rig.fetch("http://a.test/1");
  EXPECT_EQ(rig.agent().host_wait(a).value(), 10min);
  rig.fetch("http://a.test/2");
  EXPECT_EQ(rig.gaps().at(0), 10min);
}

TEST(Penalty, ARobotsTxtThatAsksForAYearIsAskedForAgainAfterADay) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {.status = 503, .headers = {{"Retry-After", "31536000"}}});
  rig.fetch("http://a.test/1");
  rig.site(a, "");
  rig.loop->advance(23h);
  EXPECT_EQ(rig.fetch("http://a.test/1").source, ResponseSource::robots_unreachable);
  rig.loop->advance(1h + 1s);
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
}

// As an earlier version may have kept it.
TEST(Penalty, ThatIsKeptAndLongerThanTheCapCountsAsTheCap) {
  RobotRig rig(patient());
  rig.site(a, "");
  ASSERT_TRUE(rig.store->restore_gate(a, rig.clock->now() + 24h * 365, {}));
  EXPECT_EQ(rig.agent().host_wait(a).value(), 24h);
  rig.start("http://a.test/1");
  rig.loop->advance(23h);
  EXPECT_EQ(rig.answered(), 0U);
  rig.loop->advance(1h);
  EXPECT_EQ(rig.answered(), 1U);
  EXPECT_EQ(rig.answer(0).code, 200);
}

TEST(Penalty, MoreThanADayParksTheSite) {
  RobotUAOptions options = undelayed();
  options.pace.max_retry_after = 48h;
  RobotRig rig(options);
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {.status = 429, .headers = {{"Retry-After", "90000"}}});
  rig.fetch("http://a.test/1");
  for (int i = 0; i < 3; ++i) rig.start("http://a.test/2");
  rig.loop->run();
  ASSERT_EQ(rig.answered(), 4U);
  EXPECT_EQ(rig.answer(3).source, ResponseSource::parked);
  EXPECT_EQ(rig.answer(3).try_again_at, rig.clock->now() + 90'000s);
  EXPECT_EQ(rig.pages().size(), 1U);
  rig.loop->advance(90'000s);
  EXPECT_EQ(rig.fetch("http://a.test/2").code, 200);
}

TEST(Penalty, ALongestWaitParksSooner) {
  RobotUAOptions options = undelayed();
  options.max_wait = 60s;
  RobotRig rig(options);
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {.status = 429, .headers = {{"Retry-After", "61"}}});
  rig.fetch("http://a.test/1");
  EXPECT_EQ(rig.fetch("http://a.test/2").source, ResponseSource::parked);
  rig.loop->advance(1s);
  EXPECT_EQ(rig.fetch("http://a.test/2").code, 200);
}

TEST(Penalty, ASiteThatIsParkedIsNotAskedForItsRobotsTxtEither) {
  RobotUAOptions options = undelayed();
  options.pace.max_retry_after = 48h;
  RobotRig rig(options);
  ASSERT_TRUE(rig.store->restore_gate(a, rig.clock->now() + 48h, {}));
  const Response parked = rig.fetch("http://a.test/1");
  EXPECT_EQ(parked.source, ResponseSource::parked);
  EXPECT_EQ(parked.try_again_at, rig.clock->now() + 48h);
  EXPECT_TRUE(rig.transport->log().empty());
  EXPECT_EQ(rig.since_start(), 0s);
  rig.loop->advance(48h);
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
}

TEST(Penalty, ABurstOfRefusalsIsOneIncident) {
  RobotUAOptions options = undelayed();
  options.pace.max_in_flight = 8;
  RobotRig rig(options);
  rig.site(a, "");
  rig.transport->on("*/busy", {.status = 429, .latency = 1s});
  for (int i = 0; i < 8; ++i) rig.start("http://a.test/busy");
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 8; }));
  EXPECT_EQ(rig.store->gate(a).value().incidents, 1U);
  rig.fetch("http://a.test/1");
  EXPECT_EQ(rig.gaps().back(), 61s);
}

TEST(Penalty, NothingShortensAPenalty) {
  RobotUAOptions options = undelayed();
  options.pace.max_in_flight = 3;
  RobotRig rig(options);
  rig.site(a, "");
  rig.transport->on("http://a.test/long", {.status = 429, .headers = {{"Retry-After", "600"}}});
  rig.transport->on("http://a.test/short", {.status = 429, .headers = {{"Retry-After", "1"}}, .latency = 1s});
  rig.transport->on("http://a.test/good", {.latency = 2s});
  rig.start("http://a.test/good");
  rig.start("http://a.test/short");
  rig.start("http://a.test/long");
  rig.start("http://a.test/last");
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 4; }));
  EXPECT_EQ(rig.pages().back().since, 600s);
}

TEST(Penalty, AgentsOverOneStoreShareIt) {
  RobotRig one;
  RobotRig two(one, undelayed());
  one.site(a, "");
  one.transport->on("http://a.test/1", {.status = 503, .headers = {{"Retry-After", "100"}}});
  one.fetch("http://a.test/1");
  two.fetch("http://a.test/2");
  EXPECT_EQ(one.gaps(), std::vector{100'000ms});
}

TEST(Penalty, RobotsTxtThatIsRefusedBringsOne) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {{.status = 429, .headers = {{"Retry-After", "500"}}}, {.body = ""}});
  const Response denied = rig.fetch("http://a.test/1");
  EXPECT_EQ(denied.source, ResponseSource::robots_unreachable);
  EXPECT_EQ(denied.try_again_at, rig.clock->now() + 500s);
  EXPECT_EQ(rig.store->gate(a).value().penalty_until, rig.clock->now() + 500s);
  rig.loop->advance(499s);
  EXPECT_EQ(rig.fetch("http://a.test/1").source, ResponseSource::robots_unreachable);
  EXPECT_EQ(rig.robots(a), 1U);
  rig.loop->advance(2s);
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
}

TEST(Penalty, ARedirectOfRobotsTxtToASiteThatMustBeLeftAloneWaitsNotForEver) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {.status = 302, .headers = {{"Location", "http://b.test/r"}}});
  ASSERT_TRUE(rig.store->restore_gate("http://b.test", rig.clock->now() + 1h, {}));
  EXPECT_EQ(rig.fetch("http://a.test/1").source, ResponseSource::robots_unreachable);
  EXPECT_EQ(rig.since_start(), 0s);
  EXPECT_EQ(rig.transport->count("http://b.test/r"), 0U);
}

TEST(Penalty, ARefusalCountsWhateverBecomesOfItsBody) {
  const Headers headers{{"Retry-After", "120"}, {"Content-Length", "1000"}};
  EXPECT_EQ(pause_after({.status = 503, .headers = headers, .body = "ha", .error = TransferError::cut}), 120s);
  EXPECT_EQ(pause_after({.status = 429, .headers = headers, .error = TransferError::timeout}), 120s);
  EXPECT_EQ(pause_after({.status = 503,
                         .headers = {{"Retry-After", "120"}, {"Content-Encoding", "gzip"}},
                         .body = "this is no gzip"}),
            120s);

  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {.status = 429, .headers = headers, .error = TransferError::cut});
  EXPECT_EQ(rig.fetch("http://a.test/1").source, ResponseSource::robots_unreachable);
  EXPECT_EQ(rig.store->gate(a).value().penalty_until, rig.clock->now() + 120s);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
