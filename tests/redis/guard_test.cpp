// The guard: no request is sent early after a server has lost writes. Each loss is also tried without the guard, which
// shows that there is something to guard against.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <variant>

#include <robotrules/open_store.hpp>

#include "redis/redis_stores.hpp"
#include "store/gate_row.hpp"
#include "support/redis/redis_cluster.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

const ReserveRequest request{.keys = {a_site}, .interval = 60s};

ReserveAnswer ask(Store& store, const ReserveRequest& wanted = request) {
  auto answer = store.reserve(wanted);
  EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message);
  return answer.ok() ? answer.value() : ReserveAnswer(Wait{});
}
bool is_granted(const ReserveAnswer& answer) { return std::holds_alternative<Granted>(answer); }

void replicate(RedisServer& master, RedisServer& replica) {
  ASSERT_EQ(replica.call({"REPLICAOF", "127.0.0.1", std::to_string(master.port())}).text, "OK");
  wait_for_replica(master, replica);
}

// Sends a request and ends it.
void visit(Store& store, const Outcome& outcome = {.status = 200, .retry_after = {}}) {
  const ReserveAnswer answer = ask(store);
  ASSERT_TRUE(is_granted(answer));
  const auto done = store.complete(std::get<Granted>(answer).token, outcome);
  ASSERT_TRUE(done.ok()) << done.error().message;
}

class Guard : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { NEEDS_REDIS(); }
  std::shared_ptr<Store> open(const RedisServer& server, const std::string& settings = "?prefix=a") {
    ServerStoreOptions options;
    options.timeout = 2s;
    return open_redis(server.url(settings), options, {.guard = GetParam()});
  }
  // The site was visited, and the server has lost that. With the guard the robot waits; without it, it comes too early.
  void expect_waits(Store& store) {
    const ReserveAnswer answer = ask(store);
    if (!GetParam()) {
      EXPECT_TRUE(is_granted(answer)) << "there is nothing to guard against";
      return;
    }
    ASSERT_TRUE(std::holds_alternative<Wait>(answer));
    const Wait wait = std::get<Wait>(answer);
    EXPECT_EQ(wait.why, WaitWhy::just_visited);
    const auto mark = store.just_visited();
    ASSERT_TRUE(mark.ok() && mark.value());
    EXPECT_LE(*mark.value(), store.now());
    EXPECT_GT(*mark.value(), store.now() - 5s);
    const auto expected = *mark.value() + max_grant_age + request.interval;
    EXPECT_LT(std::chrono::abs(wait.until - expected), 500ms) << "the store follows the server's clock a little later";
  }
};

TEST_P(Guard, ANewServerCountsEverySiteAsJustVisited) {
  RedisServer server;
  const auto store = open(server);
  ASSERT_NE(store, nullptr);
  expect_waits(*store);
}

TEST_P(Guard, ARestartFromAnOldSnapshotIsNoticed) {
  RedisServer server;
  const auto store = open(server, "?prefix=a&first_ever=1");
  ASSERT_NE(store, nullptr);
  ASSERT_EQ(server.call({"SAVE"}).text, "OK");
  visit(*store);
  server.kill();
  server.start();
  expect_waits(*store);
}

TEST_P(Guard, AReloadOfAnOldSnapshotInTheSameProcessIsNoticed) {
  RedisServer server({"--enable-debug-command", "yes"});
  const auto store = open(server, "?prefix=a&first_ever=1");
  ASSERT_NE(store, nullptr);
  ASSERT_EQ(server.call({"SAVE"}).text, "OK");
  visit(*store);
  ASSERT_EQ(server.call({"DEBUG", "RELOAD", "NOSAVE"}).text, "OK");
  expect_waits(*store);
}

TEST_P(Guard, APromotedReplicaThatLagsIsNoticed) {
  RedisServer master;
  RedisServer replica;
  replicate(master, replica);
  const auto store = open(master, "?prefix=a&first_ever=1");
  ASSERT_NE(store, nullptr);
  replica.pause();
  ASSERT_EQ(master.call({"CLIENT", "KILL", "TYPE", "replica"}).number, 1);
  visit(*store);
  master.kill();
  replica.resume();
  ASSERT_EQ(replica.call({"REPLICAOF", "NO", "ONE"}).text, "OK");
  const auto moved = open(replica);
  ASSERT_NE(moved, nullptr);
  expect_waits(*moved);
}

TEST_P(Guard, AServerWithAReplicaThatWasStoppedMayHaveBeenReplaced) {
  RedisServer server;
  RedisServer replica;
  replicate(server, replica);
  const auto store = open(server, "?prefix=a&first_ever=1");
  ASSERT_NE(store, nullptr);
  server.pause();
  const auto begun = std::chrono::steady_clock::now();
  wait_until([&] { return std::chrono::steady_clock::now() - begun > 1'200ms; }, "more than a second");
  server.resume();
  wait_until([&] { return store->gate(a_site).ok(); }, "the server answers again");
  expect_waits(*store);
}

TEST_P(Guard, ADemotedAndPromotedServerIsNoticed) {
  RedisServer server;
  RedisServer other;
  const auto store = open(server, "?prefix=a&first_ever=1");
  ASSERT_NE(store, nullptr);
  visit(*store);
  ASSERT_EQ(server.call({"REPLICAOF", "127.0.0.1", std::to_string(other.port())}).text, "OK");
  wait_until([&] { return server.info("master_link_status") == "up"; }, "it has the data of the other server");
  ASSERT_EQ(server.call({"REPLICAOF", "NO", "ONE"}).text, "OK");
  expect_waits(*store);
}

INSTANTIATE_TEST_SUITE_P(Redis, Guard, testing::Bool(), [](const auto& which) { return which.param ? "on" : "off"; });

class Redis : public testing::Test {
 protected:
  void SetUp() override { NEEDS_REDIS(); }
};

TEST_F(Redis, TheFirstStoreEverNeedNotWait) {
  RedisServer server;
  const auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->just_visited().value(), std::nullopt);
  visit(*store);
  // The setting is for a new store alone.
  server.call({"FUNCTION", "FLUSH"});
  const auto again = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(again, nullptr);
  EXPECT_TRUE(again->just_visited().value().has_value());
}

TEST_F(Redis, ARobotsFetchNeedNotWaitForTheGuard) {
  RedisServer server;
  const auto store = open_redis(server.url());
  ASSERT_NE(store, nullptr);
  EXPECT_TRUE(is_granted(ask(*store, {.keys = {a_site}, .interval = 60s, .robots_fetch = true})));
}

// The hold was lost with its server: the end of the request still starts the interval, and its penalty counts.
TEST_F(Redis, TheEndOfARequestCountsThatTheServerHasLost) {
  RedisServer server;
  const auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  const ReserveAnswer first = ask(*store);
  ASSERT_TRUE(is_granted(first));
  server.kill();
  server.start();
  ASSERT_FALSE(store->complete(std::get<Granted>(first).token, {.status = 429, .retry_after = 1h}).ok());
  const ReserveAnswer next = ask(*store);
  ASSERT_TRUE(std::holds_alternative<Wait>(next));
  EXPECT_EQ(std::get<Wait>(next).why, WaitWhy::penalty);
}

TEST_F(Redis, APenaltyIsOnTheReplicaWhenTheCallReturns) {
  RedisServer master;
  RedisServer replica;
  replicate(master, replica);
  const auto store = open_redis(master.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  visit(*store, {.status = 429, .retry_after = 1h});
  master.kill();
  ASSERT_EQ(replica.call({"REPLICAOF", "NO", "ONE"}).text, "OK");
  const auto moved = open_redis(replica.url());
  ASSERT_NE(moved, nullptr);
  const ReserveAnswer next = ask(*moved);
  ASSERT_TRUE(std::holds_alternative<Wait>(next));
  EXPECT_EQ(std::get<Wait>(next).why, WaitWhy::penalty);
}

TEST_F(Redis, APenaltyDoesNotWaitForAReplicaThatHangs) {
  RedisServer master;
  RedisServer replica;
  replicate(master, replica);
  const auto store = open_redis(master.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  replica.pause();
  const auto begun = std::chrono::steady_clock::now();
  visit(*store, {.status = 429, .retry_after = 1h});
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 20s);
  EXPECT_NE(store->health().problem.find("replica"), std::string::npos) << store->health().problem;
}

TEST_F(Redis, AServerWithoutReplicasThatWasStoppedHasLostNothing) {
  RedisServer server;
  const auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  server.pause();
  const auto begun = std::chrono::steady_clock::now();
  wait_until([&] { return std::chrono::steady_clock::now() - begun > 1'200ms; }, "more than a second");
  server.resume();
  wait_until([&] { return store->gate(a_site).ok(); }, "the server answers again");
  EXPECT_TRUE(is_granted(ask(*store)));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
