// Requests that are given up, agents that end and begin again, sites that are forgotten.
#include <gtest/gtest.h>

#include <robotrules/open_store.hpp>

#include "support/agent/loopback.hpp"
#include "support/agent/robot_rig.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
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

// After the last byte, the store records the outcome before the program gets the response.
TEST(RobotLife, AnAnswerThatHasArrivedDoesNotWait) {
  RobotRig rig;
  rig.site(a, "");
  std::size_t number = 0;
  Request request = request_to("http://a.test/1");
  request.on_body = [&](std::string_view) {
    rig.pending(number).cancel_if_waiting();
    return true;
  };
  number = rig.start(std::move(request));
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 1; }));
  EXPECT_EQ(rig.answer(number).source, ResponseSource::server);
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
  options.max_sites_in_memory = 1;
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
  options.max_sites_in_memory = 3;
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
  EXPECT_EQ(rig.agent().agent("*").error().code, "invalid-agent");
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
  EXPECT_EQ(rig.store->gate(a).value().next_at(), rig.clock->now() + 1min);
  EXPECT_EQ(rig.fetch("http://a.test/2").code, 200);
  EXPECT_EQ(fresh->visits(*Origin::of(a)).value().count, 1U);
}

TEST(RobotLife, ARestartOverOneFileKeepsThePace) {
  const auto clock = std::make_shared<ManualClock>();
  const std::string file = new_folder() + "/robots.db";
  SqliteStoreOptions kept;
  kept.first_ever = true;
  kept.time = {[clock] { return clock->now(); }, [clock] { return 1h + clock->since_start(); }, [] { return "boot"; }};
  const std::vector<std::chrono::microseconds> times;
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

TEST(RobotLife, ExchangedRulesTakeAllWithThemThatWasReadBefore) {
  RobotRig rig;
  rig.site(a, "");
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
  const auto store = make_memory_store({.clock = [clock = rig.clock] { return clock->now(); }});
  const auto other = std::make_shared<RobotRules>(RobotRules::open(store, "my-robot").value());
  ASSERT_TRUE(other->parse("http://a.test/robots.txt", "User-agent: *\nDisallow: /\n", rig.clock->now() + 1h));
  ASSERT_TRUE(other->policy(rig.agent().policy()));
  ASSERT_EQ(other->store()->changes().value(), rig.store->changes().value());  // the numbers are no witness
  ASSERT_TRUE(rig.agent().rules(other));
  rig.fetch("http://a.test/robots.txt");
  EXPECT_EQ(rig.fetch("http://a.test/1").source, ResponseSource::robots_denied);
}

TEST(RobotLife, ACloneIsARobotToo) {
  Loopback site;
  site.robots_txt(reply(no_x));
  EXPECT_EQ(site.get("/y").code, 200);
  RobotUA twin = site.robot().clone();
  EXPECT_EQ(twin.get(site.url("/x")).source, ResponseSource::robots_denied);
  EXPECT_EQ(twin.get(site.url("/y")).code, 200);
  EXPECT_EQ(site.times("/x"), 0U);
  EXPECT_EQ(site.times("/robots.txt"), 1U);  // they know the same
  EXPECT_EQ(twin.visits(site.url("/")).value().count, 2U);
}

TEST(RobotLife, WhatWasNotAnsweredIsAskedForOnceMoreThroughTheGate) {
  RobotRig rig(delayed(1min));
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {failure(TransferError::unanswered), {.body = "here"}});
  EXPECT_EQ(rig.fetch("http://a.test/1").body, "here");
  EXPECT_EQ(rig.gaps(), std::vector{60'000ms});
  rig.transport->on("http://a.test/2", failure(TransferError::unanswered));
  EXPECT_EQ(rig.fetch("http://a.test/2").source, ResponseSource::network);
  EXPECT_EQ(rig.pages().size(), 4U);
  EXPECT_EQ(rig.fetch(request_to("http://a.test/2", "POST")).source, ResponseSource::network);
  EXPECT_EQ(rig.pages().size(), 5U);  // twice might be two
  rig.transport->on("http://b.test/robots.txt",
                    {failure(TransferError::unanswered), {.body = "User-agent: *\nDisallow: /\n"}});
  EXPECT_EQ(rig.fetch("http://b.test/1").source, ResponseSource::robots_denied);
}

TEST(RobotLife, AServerThatDropsAKeptConnectionIsAskedAgainNoSoonerThanItMay) {
  Loopback site;
  site.robots_txt(reply(""));
  site.server.on("", "/drop", Script().cut());
  site.robot_options.pace.delay = 100ms;
  RobotUA robot = site.new_robot();
  EXPECT_EQ(robot.get(site.url("/y")).code, 200);
  EXPECT_EQ(robot.get(site.url("/drop")).source, ResponseSource::network);
  const auto seen = site.server.witness().requests("/drop");
  ASSERT_LE(seen.size(), 2U);
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_GE(seen[i].arrived.steady - seen[i - 1].arrived.steady, 95ms);
}

TEST(RobotLife, ASiteWhoseRobotsFetchNobodyWaitsForLeavesNoTimer) {
  RobotUAOptions options;
  options.pace.delay = 0ms;
  options.pace.by_domain = true;
  options.max_sites_in_memory = 1;
  RobotRig rig(options);
  rig.site("http://a.example.com", "");
  rig.transport->on("http://a.example.com/1", {.status = 429, .headers = {{"Retry-After", "60"}}, .latency = 5s});
  rig.start("http://a.example.com/1");
  rig.loop->advance(1s);
  const std::size_t waits = rig.start("http://b.example.com/1");  // for the domain, with its robots.txt
  rig.loop->advance(1s);
  rig.pending(waits).cancel();
  rig.loop->advance(10s);
  for (int i = 0; i < 20; ++i) rig.fetch("http://h" + std::to_string(i) + ".test/");  // b's site is forgotten
  rig.loop->advance(1h);
  EXPECT_EQ(rig.fetch("http://b.example.com/1").code, 200);
}

TEST(RobotLife, RulesBeyondTheirShareOfMemoryAreReadFromTheStoreAgain) {
  RobotUAOptions options = undelayed();
  options.max_rule_bytes = 1;
  RobotRig rig(options);
  for (int i = 0; i < 20; ++i) rig.site("http://h" + std::to_string(i) + ".test", "User-agent: *\nDisallow: /x\n");
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < 20; ++i) {
      const std::string site = "http://h" + std::to_string(i) + ".test";
      EXPECT_EQ(rig.fetch(site + "/x").source, ResponseSource::robots_denied);
      EXPECT_EQ(rig.fetch(site + "/y").code, 200);
      EXPECT_EQ(rig.robots(site), 1U);
    }
  }
}

TEST(RobotLife, RoomForNoneIsRoomForOne) {
  RobotUAOptions options = undelayed();
  options.pace.max_in_flight = 0;
  options.http.max_in_flight = 0;
  RobotRig rig(options);
  rig.site(a, "");
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
  EXPECT_EQ(rig.transport->most_in_flight(), 1U);
}

TEST(RobotLife, ARedirectThatAHandlerGivesIsStillTheRobots) {
  RobotRig rig;
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {.status = 302, .headers = {{"Location", "/2"}}});
  rig.agent().add_handler(Phase::response_redirect,
                          [](HandlerCall&) {
                            HandlerAnswer answer;
                            answer.request = request_to("http://a.test/3");
                            return answer;
                          },
                          {.code = 302});
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
  const WireRequest sent = rig.pages().back();
  EXPECT_EQ(sent.url, "http://a.test/3");
  EXPECT_EQ(sent.headers.get("User-Agent"), rig.agent().agent());
  EXPECT_TRUE(sent.headers.has("From"));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
