// A lease that could not be ended stands in the way of other processes until it expires, and not of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <variant>
#include <vector>

#include <robotrules/open_store.hpp>

#include "store/lost_leases.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

const Origin origin = *Origin::of("http://a.test/");

std::optional<RobotsLease> lease_of(Store& store) {
  auto answer = store.lease_robots_fetch(origin, 5min);
  EXPECT_TRUE(answer.ok());
  auto* lease = answer ? std::get_if<RobotsLease>(&answer.value()) : nullptr;
  return lease == nullptr ? std::nullopt : std::optional(*lease);
}

class LostLeases : public testing::Test {
 protected:
  // The calls between the two fail: the file is not at its place.
  void take_away() { std::filesystem::rename(path, path + ".away"); }
  void bring_back() { std::filesystem::rename(path + ".away", path); }

  std::string path = test::new_folder() + "/store.db";
  std::shared_ptr<Store> store = open_sqlite_store(path, {.first_ever = true}).value();
  std::shared_ptr<Store> other = open_sqlite_store(path).value();
};

TEST_F(LostLeases, AReleaseThatFailedCostsNothing) {
  const auto lease = lease_of(*store);
  ASSERT_TRUE(lease);
  take_away();
  EXPECT_FALSE(store->release(*lease).ok());
  bring_back();
  EXPECT_FALSE(lease_of(*other)) << "another process cannot know";
  const auto again = lease_of(*store);
  ASSERT_TRUE(again);
  EXPECT_GT(again->fence, lease->fence);
  EXPECT_TRUE(store->release(*again).ok());
  EXPECT_TRUE(lease_of(*other));
}

TEST_F(LostLeases, APutThatFailedLeavesTheLeaseToItsProcess) {
  const auto lease = lease_of(*store);
  ASSERT_TRUE(lease);
  take_away();
  EXPECT_FALSE(store->put_robots(origin, RobotsRecord{}, &*lease).ok());
  bring_back();
  EXPECT_TRUE(store->put_robots(origin, RobotsRecord{}, &*lease).ok()) << "it is still held";
  EXPECT_TRUE(lease_of(*other));
}

TEST_F(LostLeases, OneThatIsHeldIsNotTakenOver) {
  ASSERT_TRUE(lease_of(*store));
  EXPECT_FALSE(lease_of(*store));
}

TEST_F(LostLeases, OneThatAnotherHasByNowIsNotTakenOver) {
  const auto lease = lease_of(*store);
  ASSERT_TRUE(lease);
  store::LostLeases lost;
  EXPECT_FALSE(lost.note(&*lease, Error{"disk-full", ""}).ok());
  int grants = 0;
  const auto answer = lost.lease(origin, [&](std::uint64_t fence) -> Result<LeaseAnswer> {
    EXPECT_EQ(fence, lease->fence);
    ++grants;
    return LeaseAnswer(Wait{store->now() + 1min, "http://a.test", WaitWhy::in_flight});
  });
  EXPECT_TRUE(std::holds_alternative<Wait>(answer.value()));
  EXPECT_EQ(grants, 1);
}

TEST_F(LostLeases, OneThatWasPerhapsGrantedIsAskedForOnce) {
  const RobotsLease perhaps{7, origin, {}};
  store::LostLeases lost;
  lost.keep({perhaps});
  std::vector<std::uint64_t> fences;
  const auto ask = [&](Result<LeaseAnswer> answer) {
    static_cast<void>(lost.lease(origin, [&](std::uint64_t fence) {
      fences.push_back(fence);
      return answer;
    }));
  };
  ask(Error{"store-unreachable", ""});
  ask(LeaseAnswer(RobotsLease{8, origin, {}}));
  ask(LeaseAnswer(Wait{}));
  EXPECT_EQ(fences, (std::vector<std::uint64_t>{7, 7, 0}));
}

// The end of one failed, and then the answer to the call that was to replace it was lost: the store has one of the two.
TEST_F(LostLeases, OfTwoTheStoreMayHaveEither) {
  for (const std::uint64_t has : {7U, 8U}) {
    store::LostLeases lost;
    lost.keep({{7, origin, {}}});
    lost.keep({{8, origin, {}}});
    const auto answer = lost.lease(origin, [&](std::uint64_t fence) -> Result<LeaseAnswer> {
      if (fence != has) return LeaseAnswer(Wait{store->now() + 1min, "http://a.test", WaitWhy::in_flight});
      return LeaseAnswer(RobotsLease{9, origin, {}});
    });
    ASSERT_TRUE(std::holds_alternative<RobotsLease>(answer.value())) << has;
    const auto none = [](std::uint64_t fence) -> Result<LeaseAnswer> {
      EXPECT_EQ(fence, 0U);
      return LeaseAnswer(Wait{});
    };
    EXPECT_TRUE(lost.lease(origin, none).ok());
  }
}

TEST_F(LostLeases, AFenceThatIsGrantedAgainIsNotLost) {
  store::LostLeases lost;
  const auto grant = [&](std::uint64_t) -> Result<LeaseAnswer> {
    lost.keep({{8, origin, {}}});  // by another thread, whose clock was before
    return LeaseAnswer(RobotsLease{8, origin, {}});
  };
  EXPECT_TRUE(lost.lease(origin, grant).ok());
  EXPECT_TRUE(lost.lease(origin,
                         [](std::uint64_t fence) -> Result<LeaseAnswer> {
                           EXPECT_EQ(fence, 0U);
                           return LeaseAnswer(Wait{});
                         })
                  .ok());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
