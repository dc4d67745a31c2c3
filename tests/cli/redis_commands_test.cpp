// The commands over a store in Redis: each works, or says in words why not.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <string>

#include "cli/get_rig.hpp"
#include "support/redis/redis_server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class RedisCommands : public GetRig {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "no redis-server on this machine";
    page("/*", test::reply("."));
    redis = std::make_unique<RedisServer>(std::vector<std::string>{"--requirepass", "s3cret"});
    db = "redis://:s3cret@" + redis->address() + "?first_ever=1";
  }
  // Runs a command. No output contains the password.
  static Ran go(const Words& words, std::string_view input = {}) {
    Ran ran = run(words, input);
    EXPECT_EQ((ran.out + ran.err).find("s3cret"), std::string::npos) << ran.out << ran.err;
    return ran;
  }
  static void expect_mentions(const Ran& ran, std::string_view words) {
    EXPECT_NE((ran.out + ran.err).find(words), std::string::npos) << ran.out << ran.err;
  }

  std::unique_ptr<RedisServer> redis;
  std::string db;
};

TEST_F(RedisCommands, GetKeepsItsQueueInAMemoryOfItsOwn) {
  const Ran first = go(line({"--db", db, "-o", in_folder("a.ndjson"), url("/1"), url("/2")}));
  EXPECT_EQ(first.status, 0) << first.err;
  expect_mentions(first, "appendonly");
  EXPECT_EQ(json_lines(in_folder("a.ndjson")).size(), 2U);
  const Ran named = go(line({"--db", db, "--job", "mine", url("/1")}));
  EXPECT_EQ(named.status, 2);
  expect_mentions(named, "--queue");
  const Ran retried = go(line({"--db", db, "--retry", url("/1")}));
  EXPECT_EQ(retried.status, 2);
  expect_mentions(retried, "--queue");
  EXPECT_EQ(go(line({"--db", db})).status, 2);
}

TEST_F(RedisCommands, GetKeepsItsQueueInAnotherDatabase) {
  const std::string queue = in_folder("queue.db");
  const Ran first = go(line({"--db", db, "--queue", queue, "--job", "mine", "-o", in_folder("a.ndjson"), url("/1")}));
  EXPECT_EQ(first.status, 0) << first.err;
  const Ran jobs = go({"db", queue, "jobs"});
  expect_mentions(jobs, "mine");
  const Ran again = go({"get", "--from", "me@test.example", "--db", db, "--queue", queue, "--job", "mine"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(times("/1"), 1U);
  EXPECT_EQ(go(line({"--queue", queue, url("/1")})).status, 2) << "--queue needs --db";
}

TEST_F(RedisCommands, EveryActionOfDbWorksOrSaysWhyNot) {
  ASSERT_EQ(go(line({"--db", db, "-o", in_folder("a.ndjson"), url("/1")})).status, 0);
  const std::string origin = url("", "a");
  expect_mentions(go({"db", db, "ls"}), origin);
  expect_mentions(go({"db", db, "show", origin}), "visits");
  EXPECT_NE(go({"db", db, "why", url("/1")}).status, 2);
  const Ran stats = go({"db", db, "stats"});
  EXPECT_EQ(stats.status, 0) << stats.err;
  expect_mentions(stats, "origins: 1");
  expect_mentions(stats, "appendonly");
  const Ran exported = go({"db", db, "export"});
  EXPECT_EQ(exported.status, 0) << exported.err;
  EXPECT_EQ(go({"db", db, "forget", origin}).status, 0);
  const Ran imported = go({"db", db, "import", "-"}, exported.out);
  EXPECT_EQ(imported.status, 0) << imported.err;
  expect_mentions(go({"db", db, "ls"}), origin);
  EXPECT_EQ(go({"db", db, "prune"}).status, 0);
  for (const char* action : {"check", "jobs"}) {
    const Ran refused = go({"db", db, action});
    EXPECT_EQ(refused.status, 2) << action;
    EXPECT_FALSE(refused.err.empty()) << action;
  }
  expect_mentions(go({"db", db, "queue", "ls"}), "Redis keeps no URL queues");
}

TEST_F(RedisCommands, CheckAndBatchAskTheStore) {
  ASSERT_EQ(go(line({"--db", db, "-o", in_folder("a.ndjson"), url("/1")})).status, 0);
  const Ran checked = go({"check", "--db", db, "--offline", url("/1")});
  EXPECT_EQ(checked.status, 0) << checked.err;
  const Ran batched = go({"batch", "--db", db}, "{\"url\": \"" + url("/1") + "\"}\n");
  EXPECT_EQ(batched.status, 0) << batched.err;
  expect_mentions(batched, "allowed");
}

TEST_F(RedisCommands, AServerThatIsAwayIsNamedInWords) {
  redis->kill();
  Running waiting(line({"--db", db, url("/1")}));
  const std::string said = waiting.read_err_until("the crawl waits until it answers");
  EXPECT_NE(said.find(redis->address()), std::string::npos) << said;
  waiting.signal(SIGTERM);
  EXPECT_EQ(waiting.finish().status, 143);
  expect_mentions(go({"db", db, "ls"}), "cannot be reached");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
