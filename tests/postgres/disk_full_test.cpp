// A PostgreSQL server whose disk is full: an error in words, and nothing that was acknowledged is lost.
#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include <robotrules/url_queue.hpp>

#include "support/postgres/postgres_test.hpp"

namespace robotrules::test {
namespace {

using namespace std::chrono_literals;

// The tables are on a disk in memory of a few megabytes that this thread, and all threads and processes that it starts,
// see. It goes with them.
class PostgresDisk : public PostgresTest {
 protected:
  void SetUp() override {
    PostgresTest::SetUp();
    if (IsSkipped()) return;
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      GTEST_SKIP() << "only root can mount a disk";
    }
    server.emplace();
    disk = server->folder() + "/disk";
    ASSERT_EQ(::mkdir(disk.c_str(), 0700), 0);
    ASSERT_EQ(::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=4m,mode=700"), 0);
    ASSERT_EQ(::chown(disk.c_str(), PostgresServer::user(), static_cast<gid_t>(-1)), 0);
    server->query("CREATE TABLESPACE small LOCATION '" + disk + "'");
    name = server->uri("first_ever=1&options=-cdefault_tablespace%3Dsmall");
    store = opened(name);
  }
  void TearDown() override {
    store.reset();
    server.reset();
    if (!disk.empty()) ::umount2(disk.c_str(), MNT_DETACH);
  }
  void make_room() const { ASSERT_EQ(::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m,mode=700"), 0); }
  static std::string site(int number) { return "https://s" + std::to_string(number) + ".example"; }

  std::string disk;
  std::optional<PostgresServer> server;
  std::string name;
  std::shared_ptr<Store> store;
};

TEST_F(PostgresDisk, WhenItIsFullCallsFailInWordsAndNothingIsLost) {
  int kept = 0;
  Error error;
  for (; error.code.empty() && kept < 5'000; ++kept) {
    RobotsRecord record;
    // Each has a body of its own that cannot be packed.
    std::string body;
    std::mt19937 random(static_cast<unsigned>(kept));
    for (int i = 0; i < 8'000; ++i) body.push_back(static_cast<char>('!' + random() % 90));
    record.body = std::make_shared<const std::string>(body);
    record.fetched_at = store->now();
    record.fresh_until = record.fetched_at + 24h;
    if (auto put = store->put_robots(*Origin::of(site(kept)), std::move(record)); !put) {
      error = put.error();
      break;
    }
  }
  EXPECT_EQ(error.code, "store-full") << error.message;
  EXPECT_NE(error.message.find("space"), std::string::npos) << error.message;
  ASSERT_GT(kept, 10);
  // No visit that was acknowledged is lost, and a call that fails grants nothing.
  std::vector<std::string> visited;
  std::vector<std::string> refused;
  for (int i = 0; i < 20'000 && refused.size() < 3; ++i) {
    const auto answer = store->reserve({.keys = {site(i)}, .interval = 1h});
    if (is_granted(answer)) {
      visited.push_back(site(i));
    } else {
      ASSERT_FALSE(answer.ok());
      EXPECT_EQ(answer.error().code, "store-full") << answer.error().message;
      refused.push_back(site(i));
    }
  }
  EXPECT_EQ(refused.size(), 3U) << "the disk has no room for the gate either";
  make_room();
  EXPECT_TRUE(eventually([&] { return is_granted(store->reserve({.keys = {refused[0]}, .interval = 1h})); }));
  const auto later = opened(name);
  for (const std::string& key : visited) {
    const auto again = later->reserve({.keys = {key}, .interval = 1h});
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_FALSE(std::holds_alternative<Granted>(again.value())) << key;
    EXPECT_EQ(later->gate(key).value().visits, 1U) << key;
  }
  EXPECT_EQ(later->gate(refused[1]).value().visits, 0U) << "a call that failed left nothing";
  for (int i = 0; i < kept; ++i) {
    const auto found = later->robots(*Origin::of(site(i)));
    ASSERT_TRUE(found.ok() && found.value() != nullptr) << site(i);
    EXPECT_EQ(found.value()->body->size(), 8'000U);
  }
}

TEST_F(PostgresDisk, TheQueueLosesNoUrlThatItHasTaken) {
  const auto queue = open_url_queue(name, "job").value();
  std::uint64_t added = 0;
  Error error;
  for (int batch = 0; batch < 1'000 && error.code.empty(); ++batch) {
    std::vector<QueuedUrl> urls;
    for (int i = 0; i < 100; ++i) {
      urls.push_back({site(batch) + "/" + std::to_string(i) + std::string(200, 'p')});
    }
    const auto result = queue->add(urls);
    if (result) {
      added += result.value().added;
    } else {
      error = result.error();
    }
  }
  EXPECT_EQ(error.code, "store-full") << error.message;
  EXPECT_EQ(queue->counts().value().pending, added);
  make_room();
  EXPECT_TRUE(eventually([&] { return queue->add({{"https://last.example/"}}).ok(); }));
  EXPECT_EQ(open_url_queue(name, "job").value()->counts().value().pending, added + 1);
}

}  // namespace
}  // namespace robotrules::test
