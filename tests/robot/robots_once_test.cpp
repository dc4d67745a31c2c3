// robots.txt is fetched once for all who ask, kept as long as it is fresh, and its last good copy through outages.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include <robotrules/open_store.hpp>

#include "support/agent/loopback.hpp"
#include "support/agent/robot_rig.hpp"
#include "support/folder.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";

TEST(RobotsOnce, AThousandRequestsAtOnceFetchIt) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {.body = no_x, .latency = 5s});
  for (int i = 0; i < 500; ++i) {
    rig.start("http://a.test/x");
    rig.start("http://a.test/y");
  }
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 1'000; }));
  EXPECT_EQ(rig.robots(a), 1U);
  EXPECT_EQ(rig.pages().size(), 500U);
  EXPECT_EQ(rig.answer(0).source, ResponseSource::robots_denied);
}

TEST(RobotsOnce, AgentsOverOneStoreFetchItOnce) {
  RobotRig one;
  RobotRig two(one, undelayed());
  one.transport->on("http://a.test/robots.txt", {.body = no_x, .latency = 5s});
  for (int i = 0; i < 10; ++i) {
    one.start("http://a.test/x");
    two.start("http://a.test/x");
  }
  ASSERT_TRUE(one.loop->until([&] { return one.answered() + two.answered() == 20; }));
  EXPECT_EQ(one.robots(a), 1U);
  EXPECT_LE(one.since_start(), 7s);  // the second looks for it once a second
  EXPECT_EQ(two.answer(9).source, ResponseSource::robots_denied);
  EXPECT_TRUE(one.pages().empty());
}

TEST(RobotsOnce, WhereItsOwnerDiedTheLeaseEndsAndAnotherFetchesIt) {
  RobotRig rig;
  rig.site(a, no_x);
  const auto lease = rig.store->lease_robots_fetch(*Origin::of(a), 200s);
  ASSERT_TRUE(lease);
  rig.start("http://a.test/x");
  rig.loop->advance(199s);
  EXPECT_EQ(rig.answered(), 0U);  // a placeholder is never read as permission
  EXPECT_TRUE(rig.transport->log().empty());
  rig.loop->advance(2s);
  ASSERT_EQ(rig.answered(), 1U);
  EXPECT_EQ(rig.answer(0).source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.robots(a), 1U);
}

TEST(RobotsOnce, AnAgentThatEndsGivesItsLeaseBack) {
  RobotRig one;
  RobotRig two(one, undelayed());
  one.transport->on("http://a.test/robots.txt", {{.body = no_x, .latency = 10s}, {.body = no_x}});
  one.start("http://a.test/x");
  one.loop->run();
  one.end_agent();
  EXPECT_EQ(one.answer(0).source, ResponseSource::cancelled);
  EXPECT_EQ(two.fetch("http://a.test/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(two.since_start(), 0s);
}

TEST(RobotsOnce, ManyThousandsThatWaitWhileItGoesStaleNeedNoDeepStack) {
  RobotRig rig(delayed(10min));
  rig.transport->on("http://a.test/robots.txt",
                    {{.headers = {{"Cache-Control", "max-age=300"}}}, {.body = "User-agent: *\nDisallow: /\n"}});
  constexpr std::size_t many = 40'000;
  for (std::size_t i = 0; i < many; ++i) rig.start("http://a.test/y");
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == many; }));
  EXPECT_EQ(rig.robots(a), 2U);
  EXPECT_EQ(rig.pages().size(), 1U);
}

TEST(RobotsOnce, ManyThousandsThatMayNotWaitNeedNoDeepStack) {
  RobotUAOptions options = delayed(10min);
  options.use_sleep = false;
  RobotRig rig(options);
  rig.site(a, "");
  constexpr std::size_t many = 40'000;
  for (std::size_t i = 0; i < many; ++i) rig.start("http://a.test/y");
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == many; }));
  EXPECT_EQ(rig.pages().size(), 1U);
}

TEST(RobotsOnce, FreshnessHasAFloorAndALimit) {
  const auto asked_again_after = [](const char* cache, std::chrono::seconds time) {
    RobotRig rig;
    rig.site(a, "", cache);
    rig.fetch("http://a.test/1");
    rig.loop->advance(time - 1s);
    rig.fetch("http://a.test/2");
    EXPECT_EQ(rig.robots(a), 1U) << cache;
    rig.loop->advance(1s + 1us);
    rig.fetch("http://a.test/3");
    EXPECT_EQ(rig.robots(a), 2U) << cache;
  };
  asked_again_after("max-age=0", 300s);
  asked_again_after("no-cache", 300s);
  asked_again_after("max-age=7200", 7'200s);
  asked_again_after("max-age=31536000", 86'400s);
  asked_again_after("", 86'400s);
}

TEST(RobotsOnce, APolicyWithoutAFloorStillComesToAPage) {
  RobotUAOptions options = undelayed();
  RobotsPolicy& policy = options.policy.emplace();
  policy.freshness_floor = 0s;
  policy.retry_first = 0s;
  RobotRig rig(options);
  rig.site(a, "", "max-age=0");
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
  rig.transport->on("http://b.test/robots.txt", failure(TransferError::connect));
  EXPECT_EQ(rig.fetch("http://b.test/1").source, ResponseSource::robots_unreachable);
  EXPECT_EQ(rig.transport->log().size(), 3U);
}

TEST(RobotsOnce, AStaleCopyIsRevalidated) {
  RobotRig rig;
  const std::string date = "Wed, 01 Jan 2025 08:00:00 GMT";
  rig.transport->on(
      "http://a.test/robots.txt",
      {{.headers = {{"ETag", "\"1\""}, {"Last-Modified", date}, {"Cache-Control", "max-age=600"}}, .body = no_x},
       {.status = 304, .headers = {{"Cache-Control", "max-age=1200"}}},
       {.headers = {{"ETag", "\"2\""}}, .body = "User-agent: *\nDisallow: /y\n"}});
  rig.fetch("http://a.test/y");
  rig.loop->advance(601s);
  EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied);
  const auto log = rig.transport->log("http://a.test/robots.txt");
  ASSERT_EQ(log.size(), 2U);
  EXPECT_FALSE(log[0].headers.has("If-None-Match"));
  EXPECT_EQ(log[1].headers.get("If-None-Match"), "\"1\"");
  EXPECT_EQ(log[1].headers.get("If-Modified-Since"), date);
  rig.loop->advance(1'199s);
  rig.fetch("http://a.test/x");
  EXPECT_EQ(rig.robots(a), 2U);
  rig.loop->advance(2s);
  EXPECT_EQ(rig.fetch("http://a.test/x").code, 200);
  EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_denied);
}

TEST(RobotsOnce, A304ThatNobodyAskedForIsAFailure) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {.status = 304});
  EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_unreachable);
}

TEST(RobotsOnce, TheLastGoodCopyHoldsThroughOutagesForThirtyDays) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {{.headers = {{"ETag", "1"}}, .body = no_x}, {.status = 500}});
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
  rig.loop->advance(25h);
  const Response stale = rig.fetch("http://a.test/y");
  EXPECT_EQ(stale.code, 200);
  ASSERT_NE(stale.robots, nullptr);
  EXPECT_TRUE(stale.robots->stale);
  EXPECT_EQ(stale.robots->age, 25h);
  rig.loop->advance(24h * 29 - 2h);  // 29 days and 23 h
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
  EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied);
  rig.loop->advance(2h);
  EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_unreachable);
  rig.site(a, "");  // it is back
  rig.loop->advance(27h);
  EXPECT_EQ(rig.fetch("http://a.test/x").code, 200);
}

TEST(RobotsOnce, ACopyThatWasConfirmedIsAsYoungAsItsConfirmation) {
  RobotRig rig;
  bool down = false;
  rig.transport->on("http://a.test/robots.txt", [&](const WireRequest& request) {
    if (down) return WireReply{.status = 503};
    if (request.headers.has("If-None-Match")) return WireReply{.status = 304};
    return WireReply{.headers = {{"ETag", "\"1\""}}, .body = no_x};
  });
  for (int day = 0; day < 40; ++day) {
    rig.fetch("http://a.test/y");
    rig.loop->advance(25h);
  }
  down = true;
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
  EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied);
}

TEST(RobotsOnce, FailuresAreTriedAgainAfterAMinuteDoubledUpToAnHour) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", failure(TransferError::connect));
  std::vector<std::chrono::microseconds> times;
  while (rig.clock->since_start() < 5h) {
    rig.fetch("http://a.test/y");
    rig.loop->advance(1s);
  }
  for (const WireRequest& request : rig.transport->log("http://a.test/robots.txt")) times.push_back(request.since);
  ASSERT_GE(times.size(), 8U);
  auto wanted = std::chrono::microseconds(60s);
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_GE(times[i] - times[i - 1], wanted);
    EXPECT_LE(times[i] - times[i - 1], wanted * 11 / 10 + 2s);
    wanted = std::min<std::chrono::microseconds>(2 * wanted, 1h);
  }
}

TEST(RobotsOnce, RulesThatAreReplacedWhileItIsFetchedAreAskedAnew) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {{.body = "", .latency = 5s}, {.body = no_x, .latency = 5s}});
  rig.start("http://a.test/x");
  rig.loop->advance(1s);
  const auto others = std::make_shared<RobotRules>("my-robot");
  ASSERT_TRUE(rig.agent().rules(others));
  rig.start("http://a.test/robots.txt");
  ASSERT_TRUE(rig.loop->until([&] { return rig.is_answered(0); }));
  EXPECT_EQ(rig.answer(0).source, ResponseSource::robots_denied);
  // The store from before holds neither a lease nor a hold.
  EXPECT_TRUE(std::holds_alternative<RobotsLease>(rig.store->lease_robots_fetch(*Origin::of(a), 1s).value()));
  EXPECT_EQ(rig.store->gate(a).value().in_flight, 0U);
}

// Real threads, loops and sockets over one file.
TEST(RobotsOnce, SixteenAgentsOverOneFileFetchItOnceWhenItExpires) {
  Loopback site;
  site.robots_txt(Reply{.headers = {{"Cache-Control", "max-age=86400"}}, .body = no_x});
  const std::string file = new_folder() + "/robots.db";
  const Origin origin = *Origin::of(site.url("/"));
  SqliteStoreOptions kept;
  kept.first_ever = true;
  std::vector<RobotUA> agents;
  for (int i = 0; i < 16; ++i) {
    auto store = open_sqlite_store(file, kept);
    ASSERT_TRUE(store) << store.error().message;
    auto opened = RobotRules::open(store.value(), "my-robot");
    ASSERT_TRUE(opened);
    auto made = RobotUA::make("my-robot/0.1", "me@example.org", std::make_shared<RobotRules>(std::move(opened).value()),
                              site.robot_options);
    ASSERT_TRUE(made);
    agents.push_back(std::move(made).value());
  }
  for (std::size_t round = 1; round <= 20; ++round) {
    std::vector<std::thread> threads;
    std::atomic<int> denied{0};
    for (RobotUA& agent : agents) {
      threads.emplace_back([&] { denied += agent.allowed(site.url("/x")) == Access::disallowed ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(denied, 16);
    EXPECT_EQ(site.times("/robots.txt"), round);
    const auto& store = *agents.front().rules()->store();
    ASSERT_TRUE(agents.front().rules()->store()->set_fresh_until(origin, store.now() - 1s));
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
