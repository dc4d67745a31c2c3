// The wait for a page is measured from the last visit by what is in force now: settings and robots.txt may change
// between two pages of a site.
#include <gtest/gtest.h>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";

struct Change {
  const char* name;
  std::chrono::milliseconds from;
  std::chrono::milliseconds to;
  std::chrono::milliseconds after;  // the change comes so long after the first page
  std::chrono::milliseconds gap;
};

class DelayChanges : public testing::TestWithParam<Change> {};

TEST_P(DelayChanges, HoldForASiteAlreadyVisited) {
  const Change& change = GetParam();
  RobotRig rig(delayed(change.from));
  rig.site(a, "");
  rig.fetch("http://a.test/1");
  rig.loop->advance(change.after);
  rig.agent().delay(change.to);
  EXPECT_EQ(rig.agent().host_wait("http://a.test/").value(), std::max(0ms, change.to - change.after));
  rig.fetch("http://a.test/2");
  EXPECT_EQ(rig.gaps(), std::vector{change.gap});
}

TEST_P(DelayChanges, HoldForARequestThatWaitsAlready) {
  const Change& change = GetParam();
  if (change.after >= change.from) return;  // then it does not wait any more
  RobotRig rig(delayed(change.from));
  rig.site(a, "");
  rig.fetch("http://a.test/1");
  rig.start("http://a.test/2");
  rig.loop->advance(change.after);
  rig.agent().delay(change.to);
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 2; }));
  EXPECT_EQ(rig.gaps(), std::vector{change.gap});
}

// The second agent is another robot's process that shares the first one's store.
TEST_P(DelayChanges, HoldForAnotherAgentOverTheSameStore) {
  const Change& change = GetParam();
  RobotRig rig(delayed(change.from));
  rig.site(a, "");
  rig.fetch("http://a.test/1");
  rig.end_agent();
  rig.loop->advance(change.after);
  RobotRig next(rig, delayed(change.to));
  EXPECT_EQ(next.agent().host_wait("a.test").value(), std::max(0ms, change.to - change.after));
  next.fetch("http://a.test/2");
  EXPECT_EQ(next.gaps(), std::vector{change.gap});
}

INSTANTIATE_TEST_SUITE_P(Changes, DelayChanges,
                         testing::Values(Change{"raised", 300ms, 3s, 0ms, 3s}, Change{"lowered", 4s, 1s, 0ms, 1s},
                                         Change{"raised_on_the_way", 4s, 10s, 2s, 10s},
                                         Change{"raised_behind_the_old_one", 1s, 10s, 4s, 10s},
                                         Change{"lowered_on_the_way", 1min, 10s, 4s, 10s},
                                         Change{"lowered_to_what_has_passed", 1min, 10s, 30s, 30s},
                                         Change{"lowered_to_none", 4s, 0ms, 0ms, 0ms}),
                         [](const auto& change) { return change.param.name; });

TEST(PaceChanges, APenaltyStaysWhateverTheDelay) {
  RobotRig rig(delayed(1s));
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {.status = 503, .headers = {{"Retry-After", "100"}}});
  rig.fetch("http://a.test/1");
  rig.agent().delay(0ms);
  EXPECT_EQ(rig.agent().host_wait(a).value(), 100s);
  rig.fetch("http://a.test/2");
  EXPECT_EQ(rig.gaps(), std::vector{100'000ms});
}

TEST(PaceChanges, ACrawlDelayThatChangedHoldsFromTheLastVisit) {
  for (const auto& [before, after] : {std::pair{20, 100}, std::pair{100, 20}}) {
    RobotRig rig(delayed(1s));
    const auto lines = [](int delay) { return "User-agent: *\nCrawl-delay: " + std::to_string(delay) + "\n"; };
    rig.site(a, lines(before), "max-age=300");
    rig.loop->advance(1s);
    rig.consult("http://a.test/");
    rig.loop->advance(295s);  // so that robots.txt goes stale behind the first page
    rig.fetch("http://a.test/1");
    rig.site(a, lines(after), "max-age=3000");
    rig.loop->advance(10s);
    rig.fetch("http://a.test/2");
    EXPECT_EQ(rig.robots(a), 2U);
    EXPECT_EQ(rig.gaps(), std::vector{std::chrono::milliseconds(after * 1'000)}) << before;
    EXPECT_EQ(rig.agent().host_wait("http://a.test/x").value(), std::chrono::seconds(after));
  }
}

// The request waits by the shorter Crawl-delay that another process replaces meanwhile.
TEST(PaceChanges, ACrawlDelayThatIsReplacedDuringTheWaitHolds) {
  RobotRig rig(delayed(1s));
  rig.site(a, "User-agent: *\nCrawl-delay: 20\n");
  rig.fetch("http://a.test/1");
  rig.start("http://a.test/2");
  rig.loop->advance(10s);
  ASSERT_TRUE(rig.rules->parse("http://a.test/robots.txt", "User-agent: *\nCrawl-delay: 50\n"));
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 2; }));
  EXPECT_EQ(rig.gaps(), std::vector{50'000ms});
}

TEST(PaceChanges, ACrawlDelayHoldsWhereTheRulesWentForWantOfMemory) {
  RobotUAOptions options = delayed(1s);
  options.max_rule_bytes = 1;
  RobotRig rig(options);
  rig.site(a, "User-agent: *\nCrawl-delay: 20\n");
  for (int i = 0; i < 4; ++i) {
    rig.start("http://a.test/" + std::to_string(i));
    rig.start("http://b.test/" + std::to_string(i));
  }
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 8; }));
  EXPECT_EQ(rig.gaps(a), std::vector(3, 20'000ms));
}

TEST(PaceChanges, AnAdaptiveIntervalHoldsForAnotherAgentOverTheSameStore) {
  RobotUAOptions options = delayed(1s);
  options.pace.adaptive = 10;
  RobotRig rig(options);
  rig.site(a, "");
  rig.transport->on("http://a.test/slow", {.latency = 2s});
  rig.fetch("http://a.test/slow");
  RobotRig other(rig, options);
  EXPECT_EQ(other.agent().host_wait("a.test").value(), 20s);
  other.fetch("http://a.test/quick");
  EXPECT_EQ(rig.gaps(), std::vector{22'000ms});
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
