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

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "support/postgres/postgres_test.hpp"

namespace robotrules::test::THIS_FILE {
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
  // Stores a record whose body no other has and that cannot be packed.
  Result<void> put_one(int number) const {
    std::mt19937 random(static_cast<unsigned>(number));
    std::string body;
    for (int i = 0; i < 8'000; ++i) body.push_back(static_cast<char>('!' + random() % 90));
    RobotsRecord record;
    record.body = std::make_shared<const std::string>(std::move(body));
    record.fetched_at = store->now();
    record.fresh_until = record.fetched_at + 24h;
    return store->put_robots(*Origin::of(site(number)), std::move(record));
  }
  // Puts records until there is no room, at most so many. Sets `kept` to their number and returns the error.
  Error fill(int& kept, int most) {
    for (kept = 0; kept < most;) {
      const auto put = put_one(kept);
      const bool is_full = !put && server->log().find("No space left on device") != std::string::npos;
      if (!put && (is_full || put.error().code != "store-unreachable")) return put.error();
      if (put) ++kept;  // otherwise the machine is slow
    }
    return {};
  }
  static std::string site(int number) { return "https://s" + std::to_string(number) + ".example"; }

  std::string disk;
  std::optional<PostgresServer> server;
  std::string name;
  std::shared_ptr<Store> store;
};

TEST_F(PostgresDisk, WhenItIsFullCallsFailInWordsAndNothingIsLost) {
  int kept = 0;
  const Error error = fill(kept, 5'000);
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

// PostgreSQL stops itself if it cannot write its log. Workers wait then.
TEST_F(PostgresDisk, AServerThatCannotWriteItsLogLosesNothing) {
  store.reset();
  server->stop();
  const std::string log = server->folder() + "/log_disk";
  ASSERT_EQ(::mkdir(log.c_str(), 0700), 0);
  ASSERT_EQ(::mount("tmpfs", log.c_str(), "tmpfs", 0, "size=24m,mode=700"), 0);
  ASSERT_EQ(::chown(log.c_str(), PostgresServer::user(), static_cast<gid_t>(-1)), 0);
  const std::string folder = server->folder() + "/data/pg_wal";
  server->run("/bin/mv", {folder, log + "/pg_wal"});
  server->run("/bin/ln", {"-s", log + "/pg_wal", folder});
  server->start();
  make_room();
  ServerStoreOptions options;
  options.timeout = 2s;
  store = opened(name, options);
  int kept = 0;
  const Error error = fill(kept, 20'000);
  // The server's last words, unless the connection was closed before them.
  EXPECT_TRUE(error.code == "store-full" || error.code == "store-unreachable") << error.code << " " << error.message;
  EXPECT_NE(server->log().find("No space left on device"), std::string::npos);
  ASSERT_EQ(::mount("tmpfs", log.c_str(), "tmpfs", MS_REMOUNT, "size=400m,mode=700"), 0);
  server->stop(PostgresServer::Stop::immediate);
  server->start();
  ASSERT_TRUE(eventually([&] { return put_one(kept).ok(); }));
  const auto later = opened(name);
  for (int i = 0; i <= kept; ++i) {
    const auto found = later->robots(*Origin::of(site(i)));
    ASSERT_TRUE(found.ok() && found.value() != nullptr) << site(i);
  }
  store.reset();
  server.reset();
  ::umount2(log.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
