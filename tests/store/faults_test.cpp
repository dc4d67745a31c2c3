// Disks that fail and power that goes: an error or the truth, and nothing acknowledged lost. ROBOTRULES_SOAK=1: long.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include <robotrules/open_store.hpp>

#include "store/fault_vfs.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

bool soak() { return std::getenv("ROBOTRULES_SOAK") != nullptr; }

SqliteStoreOptions options_of(Durability durability, const std::string& boot) {
  SqliteStoreOptions options;
  options.first_ever = true;
  options.durability = durability;
  options.busy_timeout = 0ms;
  options.time.boot_id = [boot] { return boot; };
  return options;
}

constexpr const char* site = "https://a.example";
const Origin& origin() {
  static const Origin one = *Origin::of(site);
  return one;
}

// What was acknowledged.
struct Told {
  std::uint64_t visits = 0;
  int record = -1;
  int begun = -1;  // the number of the last record that was begun
};

RobotsRecord numbered(int number, Timestamp now) {
  return test::record_of("User-agent: *\nDisallow: /" + std::to_string(number) + "$\n" + std::string(3'000, '#'), now,
                         now + 1h);
}

// Dispatches and records until something fails; answers whether all went well. Errors must have a code and a sentence.
bool work(Store& store, int rounds, Told& told) {
  const auto fine = [](const auto& result) {
    if (result.ok()) return true;
    EXPECT_TRUE(result.error().code.starts_with("store-")) << result.error().code;
    EXPECT_FALSE(result.error().message.empty());
    return false;
  };
  for (int round = 0; round < rounds; ++round) {
    const auto answer = store.reserve({.keys = {site}});
    if (!fine(answer)) return false;
    const Granted* granted = std::get_if<Granted>(&answer.value());
    if (granted == nullptr) return false;
    ++told.visits;
    ++told.begun;
    if (!fine(store.put_robots(origin(), numbered(told.begun, store.now())))) return false;
    told.record = told.begun;
    if (!fine(store.complete(granted->token, {.status = 200, .retry_after = {}}))) return false;
  }
  return true;
}

int number_of(const std::shared_ptr<const RobotsRecord>& record) {
  int number = -1;
  if (record != nullptr) std::sscanf(record->body->c_str(), "User-agent: *\nDisallow: /%d$", &number);
  return number;
}

class Faults : public testing::TestWithParam<Durability> {};

// The processes live on, so nothing that was acknowledged may be missing, whatever the durability.
TEST_P(Faults, EveryCallFailsOnceAndForGood) {
  for (const bool sticky : {false, true}) {
    std::uint64_t sites_hit = 0;
    for (std::uint64_t number = 1;; number += soak() ? 1 : 3) {
      const std::string folder = test::new_folder();
      const std::string path = folder + "/store.db";
      ASSERT_TRUE(open_sqlite_store(path, options_of(GetParam(), "boot")).ok());
      Told told;
      bool reached = false;
      {
        test::FaultVfs vfs;
        vfs.fail_at(number, sticky);
        const auto opened = open_sqlite_store(path, options_of(GetParam(), "boot"));
        if (opened.ok()) {
          static_cast<void>(work(*opened.value(), 4, told));
        } else {
          EXPECT_TRUE(opened.error().code.starts_with("store-")) << opened.error().code;
        }
        reached = vfs.has_failed();
        vfs.fail_at(0, false);
        // Where the disk is well again, so is the store that saw it fail.
        if (opened.ok()) {
          EXPECT_TRUE(opened.value()->add_visit(origin(), opened.value()->now()).ok()) << number;
          ++told.visits;
        }
      }
      const auto store = open_sqlite_store(path, options_of(GetParam(), "boot"));
      ASSERT_TRUE(store.ok()) << number << ": " << store.error().message;
      ASSERT_GE(store.value()->gate(site).value().visits, told.visits) << number;
      ASSERT_LE(store.value()->gate(site).value().visits, told.visits + 1) << number;
      ASSERT_GE(number_of(store.value()->robots(origin()).value()), told.record) << number;
      const auto report = check_sqlite_store(path);
      ASSERT_TRUE(report.ok() && report.value().problems.empty()) << number;
      std::filesystem::remove_all(folder);
      if (!reached) break;
      ++sites_hit;
    }
    RecordProperty(sticky ? "calls_failed_for_good" : "calls_failed_once", static_cast<int>(sites_hit));
    EXPECT_GT(sites_hit, 20u);
  }
}

TEST_P(Faults, PowerGoesAtAnyMoment) {
  const int points = soak() ? 10'000 : 80;
  std::mt19937 random(GetParam() == Durability::full ? 1 : 2);
  int seen = 0;
  int lost_something = 0;
  while (seen < points) {
    const std::string folder = test::new_folder();
    const std::string path = folder + "/store.db";
    const std::string image = test::new_folder();
    ASSERT_TRUE(open_sqlite_store(path, options_of(GetParam(), "before")).ok());
    Told told;
    std::optional<Told> at_cut;
    {
      test::FaultVfs vfs;
      vfs.snapshot_at(1 + random() % 120, [&] {
        vfs.lose_power(image, random);
        at_cut = told;
      });
      // Closing in between writes the log back into the file.
      for (int opening = 0; opening < 3 && !at_cut; ++opening) {
        const auto store = open_sqlite_store(path, options_of(GetParam(), "before"));
        ASSERT_TRUE(store.ok());
        ASSERT_TRUE(work(*store.value(), 4, told));
      }
    }
    if (!at_cut) {
      std::filesystem::remove_all(folder);
      std::filesystem::remove_all(image);
      continue;
    }
    ++seen;
    std::filesystem::permissions(image, std::filesystem::perms::owner_all);
    const std::string found = image + "/store.db";
    const auto report = check_sqlite_store(found);
    ASSERT_TRUE(report.ok()) << report.error().message;
    ASSERT_TRUE(report.value().problems.empty()) << report.value().problems.front();
    const auto store = open_sqlite_store(found, options_of(GetParam(), "after"));
    ASSERT_TRUE(store.ok()) << store.error().message;
    const GateState gate = store.value()->gate(site).value();
    const auto record = store.value()->robots(origin()).value();
    const int number = number_of(record);
    ASSERT_LE(gate.visits, at_cut->visits + 1);
    ASSERT_LE(number, at_cut->begun);
    // Records and dispatches are never half there: the file is what it was after some whole change.
    ASSERT_LE(static_cast<std::int64_t>(gate.visits), number + 2);
    ASSERT_GE(static_cast<std::int64_t>(gate.visits), number + 1);
    if (GetParam() == Durability::full) {
      ASSERT_GE(gate.visits, at_cut->visits);
      ASSERT_GE(number, at_cut->record);
    } else if (gate.visits < at_cut->visits) {
      ++lost_something;
    }
    // After a power cut nobody may be sooner than if everything had been visited just now.
    ASSERT_NE(store.value()->just_visited().value(), std::nullopt);
    const auto answer = store.value()->reserve({.keys = {"https://other.example"}, .interval = 10s}).value();
    ASSERT_FALSE(std::holds_alternative<Granted>(answer));
    std::filesystem::remove_all(folder);
    std::filesystem::remove_all(image);
  }
  RecordProperty("power_cuts", seen);
  RecordProperty("cuts_that_cost_something", lost_something);
  // The cuts cut: without syncs something is lost now and then.
  if (GetParam() == Durability::normal) {
    EXPECT_GT(lost_something, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Durabilities, Faults, testing::Values(Durability::normal, Durability::full),
                         [](const auto& which) { return which.param == Durability::full ? "full" : "normal"; });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
