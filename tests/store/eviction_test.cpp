// What a store in memory forgets where there is too much.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "store/store_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class Eviction : public testing::Test {
 protected:
  static constexpr std::size_t limit = std::size_t{4} << 20;
  static constexpr std::size_t slack = limit / 10;

  static Origin origin(int number) { return *Origin::of("https://site" + std::to_string(number) + ".example/"); }
  void put(int number, std::size_t size = 1'000) {
    const std::string body = std::to_string(number) + std::string(size, '#');
    ASSERT_TRUE(store->put_robots(origin(number), record_of(body, clock.now(), clock.now())).ok());
  }
  bool has(int number) const { return store->robots(origin(number)).value() != nullptr; }
  std::uint64_t stored() const { return store->stats().value().stored_bytes; }

  ScriptedClock clock;
  std::shared_ptr<Store> store = make_memory_store({.clock = [this] { return clock.now(); }, .limit_bytes = limit});
};

TEST_F(Eviction, TheLimitHoldsToATenth) {
  for (int i = 0; i < 20'000; ++i) {
    put(i, i % 10 == 0 ? 20'000 : 300);
    if (i % 3 == 0) static_cast<void>(has(i / 2));  // and some are in use
    ASSERT_TRUE(store->add_visit(origin(i), clock.now()).ok());
    if (i % 500 == 0) {
      ASSERT_LE(stored(), limit + slack) << i;
    }
  }
  EXPECT_LE(stored(), limit + slack);
  EXPECT_GT(stored(), limit / 2);
}

TEST_F(Eviction, ADroppedRecordIsNoRecord) {
  for (int i = 0; i < 10'000; ++i) put(i);
  EXPECT_FALSE(has(0));
  EXPECT_TRUE(has(9'999));
  put(0);
  EXPECT_TRUE(has(0));
}

TEST_F(Eviction, TheLongestUnusedGoesFirst) {
  for (int i = 0; i < 10'000; ++i) {
    put(i);
    for (int used = 0; used < 10; ++used) ASSERT_TRUE(has(used) || used > i) << used << " of " << i;
  }
  // Of those that were never asked for, what came last is there and what came first is not.
  int dropped = 10;
  while (dropped < 10'000 && !has(dropped)) ++dropped;
  EXPECT_GT(dropped, 7'000);
  int there = 0;
  for (int i = 9'500; i < 10'000; ++i) there += has(i) ? 1 : 0;
  EXPECT_EQ(there, 500);
}

TEST_F(Eviction, ALiveGateIsNeverDropped) {
  const auto key = [](const char* kind, int number) { return kind + std::to_string(number); };
  constexpr int live = 300;
  for (int i = 0; i < live; ++i) {
    const auto take = [&](const char* kind, std::chrono::microseconds interval) {
      return std::get<Granted>(store->reserve({.keys = {key(kind, i)}, .interval = interval, .hold = 1h}).value())
          .token;
    };
    ASSERT_TRUE(store->complete(take("interval", 1h), {.status = 200, .retry_after = {}}).ok());
    ASSERT_TRUE(store->complete(take("penalty", 0s), {.status = 429, .retry_after = 1h}).ok());
    take("hold", 0s);
  }
  for (int i = 0; i < 60'000; ++i) ASSERT_TRUE(store->add_visit(origin(i), clock.now()).ok());
  EXPECT_LT(store->stats().value().gates, 20'000u);
  for (int i = 0; i < live; ++i) {
    for (const char* kind : {"interval", "penalty", "hold"}) {
      const auto answer = store->reserve({.keys = {key(kind, i)}, .interval = 1h}).value();
      ASSERT_TRUE(std::holds_alternative<Wait>(answer)) << kind << i;
    }
  }
  // What held them up is over: now they go as others do.
  clock.advance(48h);
  for (int i = 60'000; i < 160'000; ++i) ASSERT_TRUE(store->add_visit(origin(i), clock.now()).ok());
  int left = 0;
  for (int i = 0; i < live; ++i) left += store->gate(key("penalty", i)).value().visits == 0 ? 0 : 1;
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
