// Clocks that jump: no gap gets shorter, no wait longer than what was asked for. Nothing sleeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include <robotrules/open_store.hpp>

#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

constexpr const char* site = "https://a.example";
constexpr microseconds interval = 10s;
constexpr microseconds penalty = 60s;
constexpr microseconds year = std::chrono::hours(24) * 365;

ReserveAnswer ask(Store& store) { return store.reserve({.keys = {site}, .interval = interval}).value(); }

// One that was completed just now, and refused where `refused`.
void dispatch(Store& store, bool refused) {
  const ReserveAnswer answer = ask(store);
  ASSERT_TRUE(std::holds_alternative<Granted>(answer));
  const Outcome outcome{refused ? 429 : 200, refused ? std::optional(penalty) : std::nullopt};
  ASSERT_TRUE(store.complete(std::get<Granted>(answer).token, outcome).ok());
}

// How long the site is closed; nothing where it is open.
microseconds closed_for(Store& store) {
  const ReserveAnswer answer = ask(store);
  const Wait* wait = std::get_if<Wait>(&answer);
  EXPECT_FALSE(std::holds_alternative<Blocked>(answer));
  return wait == nullptr ? 0us : wait->until - store.now();
}

// --- the clock of the store itself is set back -----------------------------------------------------------------------

class SetBack : public testing::TestWithParam<std::tuple<test::Backend, microseconds>> {};

TEST_P(SetBack, GapsAndPenaltiesAreWhatTheyWere) {
  for (const bool refused : {false, true}) {
    test::ScriptedClock clock;
    const auto store = std::get<0>(GetParam()).make([&clock] { return clock.now(); });
    dispatch(*store, refused);
    clock.advance(-std::get<1>(GetParam()));
    const microseconds whole = refused ? penalty : interval;
    EXPECT_EQ(closed_for(*store), whole);
    clock.advance(whole - 1us);
    EXPECT_EQ(closed_for(*store), 1us);
    clock.advance(1us);
    EXPECT_TRUE(std::holds_alternative<Granted>(ask(*store)));
  }
}

// Whoever is in flight while the clock is set back still holds the key, and no longer than it was meant to.
TEST_P(SetBack, AHoldLastsAsLongAsItWasMeantTo) {
  test::ScriptedClock clock;
  const auto store = std::get<0>(GetParam()).make([&clock] { return clock.now(); });
  const auto answer = store->reserve({.keys = {site}, .interval = interval, .hold = 5min}).value();
  ASSERT_TRUE(std::holds_alternative<Granted>(answer));
  clock.advance(-std::get<1>(GetParam()));
  EXPECT_EQ(closed_for(*store), 5min);
  clock.advance(5min);
  EXPECT_EQ(closed_for(*store), interval);  // its owner is dead, and may have been there a moment ago
  clock.advance(interval);
  EXPECT_TRUE(std::holds_alternative<Granted>(ask(*store)));
}

INSTANTIATE_TEST_SUITE_P(Backends, SetBack,
                         testing::Combine(testing::ValuesIn(test::backends()),
                                          testing::Values(1us, 1s, microseconds(1h), 10 * year)),
                         [](const auto& which) {
                           return std::get<0>(which.param).name + "_by_" +
                                  std::to_string(std::get<1>(which.param).count()) + "_us";
                         });

// --- time goes on past what 32 bits hold -----------------------------------------------------------------------------

class Beyond2038 : public testing::TestWithParam<test::Backend> {};

TEST_P(Beyond2038, IsATimeLikeAnyOther) {
  for (const std::int64_t seconds : {std::int64_t{1} << 31, std::int64_t{1} << 32}) {
    test::ScriptedClock clock;
    clock.advance(Timestamp(std::chrono::seconds(seconds)) - 1s - clock.now());
    const auto store = GetParam().make([&clock] { return clock.now(); });
    dispatch(*store, false);
    for (int second = 0; second < 10; ++second) {
      EXPECT_EQ(closed_for(*store), interval - std::chrono::seconds(second));
      clock.advance(1s);
    }
    EXPECT_EQ(store->gate(site).value().last_visit, Timestamp(std::chrono::seconds(seconds - 1)));
    EXPECT_TRUE(std::holds_alternative<Granted>(ask(*store)));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Beyond2038, testing::ValuesIn(test::backends()),
                         [](const auto& which) { return which.param.name; });

// --- people set the machine's clock ----------------------------------------------------------------------------------

struct Machine {
  Timestamp wall{std::chrono::days{20'000}};
  microseconds since_boot = 1h;
  std::string boot = "first";

  SqliteStoreOptions options() {
    SqliteStoreOptions made;
    made.first_ever = true;
    made.time = {[this] { return wall; }, [this] { return since_boot; }, [this] { return boot; }};
    return made;
  }
};

class WallJump : public testing::TestWithParam<microseconds> {
 protected:
  Machine machine;
  std::string path = test::new_folder() + "/store.db";
  std::shared_ptr<Store> open() { return open_sqlite_store(path, machine.options()).value(); }
};

TEST_P(WallJump, ChangesNothingWhileTheMachineRuns) {
  const auto store = open();
  dispatch(*store, true);
  machine.wall += GetParam();
  EXPECT_EQ(closed_for(*store), penalty);
  EXPECT_EQ(closed_for(*open()), penalty);
  machine.since_boot += penalty;
  EXPECT_TRUE(std::holds_alternative<Granted>(ask(*open())));
}

TEST_P(WallJump, OverARestartKeepsGapsAndBoundsWaits) {
  for (const bool refused : {false, true}) {
    path = test::new_folder() + "/store.db";
    machine = Machine();
    dispatch(*open(), refused);
    machine.wall += GetParam();
    machine.since_boot = 5s;
    machine.boot = "second";
    const auto store = open();
    const microseconds closed = closed_for(*store);
    EXPECT_GE(closed, interval);
    EXPECT_LE(closed, refused ? penalty : interval);
    machine.since_boot += closed;
    EXPECT_TRUE(std::holds_alternative<Granted>(ask(*store)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Jumps, WallJump, testing::Values(-10 * year, microseconds(-1h), -1s, 1s, microseconds(1h), 10 * year, 30 * year),
    [](const auto& which) {
      return (which.param < 0us ? "back_" : "on_") + std::to_string(std::abs(which.param.count()) / 1'000'000) + "_s";
    });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
