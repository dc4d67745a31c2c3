// A robots.txt that was fetched, and that the store cannot take: it is put again, and not fetched again.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include <robotrules/seams/store_decorator.hpp>
#include <robotrules/seams/store_session.hpp>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";

// A store whose disk is full for some calls.
class FullStore final : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  bool may_wait() const noexcept override { return false; }
  std::unique_ptr<StoreSession> open_session(std::function<void(std::function<void()>)>) override {
    return make_direct_session(*this);
  }
  Result<void> put_robots(const Origin& origin, RobotsRecord record, const RobotsLease* lease) override {
    ++puts;
    if (throwing_puts > 0 && throwing_puts-- > 0) throw std::bad_alloc();
    if (full_puts > 0 && full_puts-- > 0) return Error{"disk-full", "The store could not be written"};
    return StoreDecorator::put_robots(origin, std::move(record), lease);
  }

  int full_puts = 0;      // that fail
  int throwing_puts = 0;  // before that
  int puts = 0;
};

class UnstoredRobots : public testing::Test {
 protected:
  UnstoredRobots() { rig.site(a, "User-agent: *\nDisallow: /x\n"); }

  ResponseSource source_of(const std::string& path) { return rig.fetch(a + path).source; }

  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
  std::shared_ptr<Store> kept = make_memory_store({.clock = [clock = clock] { return clock->now(); }});
  std::shared_ptr<FullStore> store = std::make_shared<FullStore>(kept);
  RobotRig rig{clock, store, undelayed()};
};

TEST_F(UnstoredRobots, ArePutAgainAndNotFetchedAgain) {
  store->full_puts = 1;
  EXPECT_EQ(source_of("/1"), ResponseSource::disk_full);
  EXPECT_EQ(rig.pages(a).size(), 0U);
  const auto before = rig.since_start();
  EXPECT_EQ(source_of("/2"), ResponseSource::server);
  EXPECT_EQ(rig.since_start() - before, 5s);
  EXPECT_EQ(source_of("/x"), ResponseSource::robots_denied);
  EXPECT_EQ(rig.robots(a), 1U);
  EXPECT_EQ(store->puts, 2);
}

TEST_F(UnstoredRobots, ArePutAfterADoubledTimeEachTime) {
  store->full_puts = 6;
  EXPECT_EQ(source_of("/1"), ResponseSource::disk_full);
  for (const auto pause : {5s, 10s, 20s, 40s, 80s}) {
    const auto before = rig.since_start();
    EXPECT_EQ(source_of("/1"), ResponseSource::disk_full);
    EXPECT_EQ(rig.since_start() - before, pause);
  }
  EXPECT_EQ(source_of("/1"), ResponseSource::server);
  EXPECT_EQ(rig.robots(a), 1U);
}

// The lease lasts 270 s. After that it is asked for again, and the answer is put with the new one.
TEST_F(UnstoredRobots, OutliveTheirLease) {
  store->full_puts = 1;
  EXPECT_EQ(source_of("/1"), ResponseSource::disk_full);
  rig.loop->advance(10min);
  EXPECT_EQ(source_of("/1"), ResponseSource::server);
  EXPECT_EQ(rig.robots(a), 1U);
}

TEST_F(UnstoredRobots, AreFetchedAgainWhenTheyAreNoLongerFresh) {
  rig.site(a, "User-agent: *\nDisallow: /x\n", "max-age=600");
  store->full_puts = 1;
  EXPECT_EQ(source_of("/1"), ResponseSource::disk_full);
  rig.loop->advance(11min);
  EXPECT_EQ(source_of("/1"), ResponseSource::server);
  EXPECT_EQ(rig.robots(a), 2U);
}

TEST_F(UnstoredRobots, ArePutAgainAfterCallsThatThrew) {
  store->throwing_puts = 3;
  const std::size_t first = rig.start(std::string(a) + "/1");
  EXPECT_THROW(rig.loop->advance(1s), std::bad_alloc);  // a loop with a thread would end the call
  for (int tries = 0; tries < 2; ++tries) EXPECT_EQ(source_of("/1"), ResponseSource::internal);
  EXPECT_EQ(source_of("/1"), ResponseSource::server);
  EXPECT_EQ(source_of("/x"), ResponseSource::robots_denied);
  EXPECT_EQ(rig.answer(first).source, ResponseSource::server);
  EXPECT_EQ(rig.robots(a), 1U);
}

// Another process has fetched the file meanwhile.
TEST_F(UnstoredRobots, GiveWayToTheRecordOfAnother) {
  store->full_puts = 1;
  EXPECT_EQ(source_of("/1"), ResponseSource::disk_full);
  RobotsRecord theirs;
  theirs.outcome = RobotsOutcome::rules;
  theirs.body = std::make_shared<const std::string>("User-agent: *\nDisallow: /1\n");
  theirs.fetched_at = kept->now();
  theirs.fresh_until = kept->now() + 1h;
  ASSERT_TRUE(kept->put_robots(*Origin::of(a), theirs).ok());
  EXPECT_EQ(source_of("/1"), ResponseSource::robots_denied);
  EXPECT_EQ(source_of("/x"), ResponseSource::server);
  EXPECT_EQ(rig.robots(a), 1U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
