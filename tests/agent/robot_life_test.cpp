// Requests that are given up, agents that end and begin again, sites that are forgotten.
#include <gtest/gtest.h>

#include <robotrules/sqlite_store.hpp>

#include "agent/robot_rig.hpp"
#include "support/folder.hpp"

namespace robotrules::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";

TEST(RobotLife, ARequestThatIsCancelledWhileItWaitsCostsNothing) {
  RobotRig rig(delayed(1min));
  rig.site(a, "");
  rig.fetch("http://a.test/1");
  const std::size_t second = rig.start("http://a.test/2");
  rig.start("http://a.test/3");
  rig.loop->advance(10s);
  rig.pending(second).cancel();
  rig.loop->run();
  EXPECT_EQ(rig.answer(second).source, ResponseSource::cancelled);
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 3; }));
  EXPECT_EQ(rig.gaps(), std::vector{60'000ms});
  EXPECT_EQ(rig.pages().back().url, "http://a.test/3");
  rig.pending(second).cancel();  // again, and too late
  rig.loop->run();
}

TEST(RobotLife, ARequestThatIsCancelledInFlightCountsAsAVisit) {
  RobotRig rig(delayed(1min));
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {.latency = 30s});
  const std::size_t first = rig.start("http://a.test/1");
  rig.start("http://a.test/2");
  rig.loop->advance(10s);
  rig.pending(first).cancel();
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 2; }));
  EXPECT_TRUE(rig.pages().front().cancelled);
  EXPECT_EQ(rig.gaps(), std::vector{70'000ms});
}

TEST(RobotLife, ARequestThatIsCancelledDuringItsRobotsFetchLeavesTheOthers) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {.latency = 5s});
  const std::size_t first = rig.start("http://a.test/1");
  const std::size_t second = rig.start("http://a.test/2");
  rig.loop->advance(1s);
  rig.pending(first).cancel();
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 2; }));
  EXPECT_EQ(rig.answer(second).code, 200);
  EXPECT_EQ(rig.pages().size(), 1U);
  EXPECT_EQ(rig.robots(a), 1U);
}

TEST(RobotLife, CancellingAllThatWaitLeavesNoTimerBehind) {
  RobotUAOptions options = delayed(1min);
  options.sites_in_memory = 1;
  RobotRig rig(options);
  rig.site(a, "");
  rig.fetch("http://a.test/1");
  rig.site("http://window.test", "User-agent: *\nVisit-time: 1800-1900\n");
  ASSERT_TRUE(rig.store->lease_robots_fetch(*Origin::of("http://leased.test"), 200s));
  ASSERT_TRUE(rig.store->restore_gate("http://penalty.test", rig.clock->now() + 1h, {}));
  std::vector<std::size_t> waiting;
  for (const char* url : {"http://a.test/2", "http://window.test/", "http://leased.test/", "http://penalty.test/"}) {
    waiting.push_back(rig.start(url));
  }
  rig.loop->advance(1s);
  EXPECT_GT(rig.loop->timers(), 0U);
  for (const std::size_t number : waiting) rig.pending(number).cancel();
  rig.loop->run();
  EXPECT_EQ(rig.loop->timers(), 0U);
  for (int i = 0; i < 20; ++i) rig.fetch("http://h" + std::to_string(i) + ".test/");  // their sites are forgotten
  rig.loop->advance(24h);
  EXPECT_EQ(rig.fetch("http://a.test/2").code, 200);
}

TEST(RobotLife, AnAgentThatEndsAnswersThousandsThatWait) {
  RobotRig rig(delayed(1min));
  rig.transport->on("*/hang", {.latency = 200s});
  rig.transport->on("http://norobots.test/robots.txt", {.latency = 15s});
  for (int i = 0; i < 2'000; ++i) {
    rig.start("http://a.test/" + std::to_string(i));
    rig.start("http://h" + std::to_string(i) + ".test/hang");
    rig.start("http://norobots.test/");
  }
  rig.loop->advance(1s);
  std::size_t asked = 0;
  rig.agent().consult("http://norobots.test/", [&](const auto&, Access access) {
    EXPECT_EQ(access, Access::unknown);
    ++asked;
  });
  rig.loop->run();
  const std::size_t requests = rig.transport->log().size();
  EXPECT_LT(rig.answered(), 6'000U);
  rig.end_agent();
  EXPECT_EQ(rig.answered(), 6'000U);
  EXPECT_EQ(asked, 1U);
  EXPECT_EQ(rig.transport->in_flight(), 0U);
  EXPECT_EQ(rig.transport->log().size(), requests);  // it begins nothing more
  EXPECT_EQ(rig.loop->timers(), 0U);
  EXPECT_EQ(rig.answer(5'999).source, ResponseSource::cancelled);
  rig.loop->advance(1h);
}

TEST(RobotLife, SitesThatAreForgottenAreReadFromTheStoreAgain) {
  RobotUAOptions options = delayed(10s);
  options.sites_in_memory = 3;
  RobotRig rig(options);
  rig.transport->on("*/robots.txt", {.body = "User-agent: *\nDisallow: /x\n"});
  const auto url = [](int i, const char* path) { return "http://h" + std::to_string(i) + ".test" + path; };
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 50; ++i) rig.start(url(i, "/y"));
    for (int i = 0; i < 50; ++i) rig.start(url(i, "/x"));
  }
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 300; }));
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(rig.robots(url(i, "")), 1U);
    EXPECT_EQ(rig.gaps(url(i, "")), std::vector(2, 10'000ms));
  }
  EXPECT_EQ(rig.pages().size(), 150U);
}

TEST(RobotLife, AnotherNameIsAnotherRobot) {
  RobotRig rig(delayed(1min));
  rig.site(a, "User-agent: other\nDisallow: /x\n");
  rig.fetch("http://a.test/x");
  const std::size_t waiting = rig.start("http://a.test/x");
  rig.loop->advance(10s);
  ASSERT_TRUE(rig.agent().agent("other/2"));
  ASSERT_TRUE(rig.loop->until([&] { return rig.is_answered(waiting); }));
  EXPECT_EQ(rig.answer(waiting).source, ResponseSource::robots_denied);  // what waited is decided anew
  EXPECT_EQ(rig.robots(a), 2U);
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
  EXPECT_EQ(rig.gaps(), std::vector{60'000ms});  // the site is the same
  EXPECT_EQ(rig.agent().agent("9").error().code, "invalid-agent");
}

TEST(RobotLife, RulesThatAreReplacedInFlightEndTheHoldWhereItWasMade) {
  RobotRig rig(delayed(1min));
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {.latency = 10s});
  rig.start("http://a.test/1");
  rig.loop->advance(1s);
  EXPECT_EQ(rig.store->gate(a).value().in_flight, 1U);
  const auto clock = rig.clock;
  const auto fresh = make_memory_store({.clock = [clock] { return clock->now(); }});
  auto opened = RobotRules::open(fresh, "my-robot");
  ASSERT_TRUE(opened);
  ASSERT_TRUE(rig.agent().rules(std::make_shared<RobotRules>(std::move(opened).value())));
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 1; }));
  EXPECT_EQ(rig.store->gate(a).value().in_flight, 0U);
  EXPECT_EQ(rig.store->gate(a).value().next_at, rig.clock->now() + 1min);
  EXPECT_EQ(rig.fetch("http://a.test/2").code, 200);
  EXPECT_EQ(fresh->visits(*Origin::of(a)).value().count, 1U);
}

TEST(RobotLife, ARestartOverOneFileKeepsThePace) {
  const auto clock = std::make_shared<ManualClock>();
  const std::string file = new_folder() + "/robots.db";
  SqliteStoreOptions kept;
  kept.first_ever = true;
  kept.time = {[clock] { return clock->now(); }, [clock] { return 1h + clock->since_start(); }, [] { return "boot"; }};
  std::vector<std::chrono::microseconds> times;
  for (int run = 0; run < 4; ++run) {
    auto store = open_sqlite_store(file, kept);
    ASSERT_TRUE(store) << store.error().message;
    RobotRig rig(clock, std::move(store).value(), delayed(1min));
    rig.site(a, "");
    const auto before = clock->since_start();
    rig.fetch("http://a.test/" + std::to_string(run));
    EXPECT_EQ(rig.robots(a), run == 0 ? 1U : 0U);
    EXPECT_EQ(clock->since_start() - before, run == 0 ? 0s : 50s);
    rig.loop->advance(10s);
    rig.start("http://a.test/waits");  // ends with the agent
    rig.loop->run();
  }
}

TEST(RobotLife, AHostsPenaltyOutlivesTheAgent) {
  const auto clock = std::make_shared<ManualClock>();
  const std::string file = new_folder() + "/robots.db";
  SqliteStoreOptions kept;
  kept.first_ever = true;
  kept.time = {[clock] { return clock->now(); }, [clock] { return 1h + clock->since_start(); }, [] { return "boot"; }};
  {
    RobotRig rig(clock, open_sqlite_store(file, kept).value(), undelayed());
    rig.transport->on("http://a.test/1", {.status = 429, .headers = {{"Retry-After", "3600"}}});
    rig.fetch("http://a.test/1");
  }
  RobotRig rig(clock, open_sqlite_store(file, kept).value(), undelayed());
  rig.fetch("http://a.test/2");
  EXPECT_EQ(rig.since_start(), 1h);
}

}  // namespace
}  // namespace robotrules::test
