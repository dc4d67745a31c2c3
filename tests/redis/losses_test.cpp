// What a store does after its server has lost keys, time or its place: no request is early, and no site waits for ever.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include <robotrules/open_store.hpp>

#include "redis/redis_stores.hpp"
#include "servers/redis/site_tag.hpp"
#include "store/store_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using store::redis::Command;

const ReserveRequest asked{.keys = {"https://a.example"}, .interval = 60s};
const ReserveRequest asked_other{.keys = {"https://b.example"}, .interval = 60s};

class GuardLosses : public testing::Test {
 protected:
  void SetUp() override { NEEDS_REDIS(); }

  static ReserveAnswer ask(Store& store, const ReserveRequest& request = asked) {
    auto answer = store.reserve(request);
    EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message);
    return answer.ok() ? answer.value() : ReserveAnswer(Wait{});
  }
  static bool is_granted(const ReserveAnswer& answer) { return std::holds_alternative<Granted>(answer); }
  static bool waits_for(const ReserveAnswer& answer, WaitWhy why) {
    return std::holds_alternative<Wait>(answer) && std::get<Wait>(answer).why == why;
  }
  static void pass(std::chrono::milliseconds time) {
    const auto begun = std::chrono::steady_clock::now();
    wait_until([&] { return std::chrono::steady_clock::now() - begun > time; }, "time passes");
  }
};

// --- keys ------------------------------------------------------------------------------------------------------------

TEST_F(GuardLosses, DeletedKeysAreNoticed) {
  for (const Command& command : {Command{"FLUSHALL"}, Command{"FLUSHDB"}, Command{"SWAPDB", "0", "1"}}) {
    RedisServer server;
    const auto store = open_redis(server.url("?first_ever=1"));
    ASSERT_NE(store, nullptr);
    ASSERT_TRUE(is_granted(ask(*store)));
    ASSERT_EQ(server.call(command).text, "OK");
    EXPECT_TRUE(waits_for(ask(*store), WaitWhy::just_visited)) << command.front();
    EXPECT_TRUE(store->just_visited().value().has_value()) << command.front();
  }
}

TEST_F(GuardLosses, DatabasesOfOneServerDoNotKnowEachOther) {
  RedisServer server;
  const auto one = open_redis(server.url("/1?first_ever=1"));
  const auto other = open_redis(server.url("/2"));
  ASSERT_TRUE(one != nullptr && other != nullptr);
  EXPECT_FALSE(one->just_visited().value().has_value());
  EXPECT_TRUE(other->just_visited().value().has_value());
}

TEST_F(GuardLosses, ANodeOfAClusterNoticesThatItsKeysAreGone) {
  RedisCluster cluster(3);
  const auto store = open_redis(cluster.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  EXPECT_FALSE(store->just_visited().value().has_value());
  ASSERT_EQ(cluster.node(1).call({"FLUSHALL"}).text, "OK");
  EXPECT_TRUE(store->just_visited().value().has_value());
}

// The first call after the loss, without a beat between them.
TEST_F(GuardLosses, ANodeOfAClusterNoticesBeforeItsNextGrantThatItsKeysAreGone) {
  RedisCluster cluster(3);
  const std::size_t node = cluster.master_of(store::redis::slot_of(store::redis::tag_of_gate(asked.keys.front())));
  for (int round = 0; round < 5; ++round) {
    const auto store = open_redis(cluster.url("?first_ever=1&prefix=" + new_prefix()));
    ASSERT_NE(store, nullptr);
    ASSERT_TRUE(is_granted(ask(*store)));
    ASSERT_EQ(cluster.node(node).call({"FLUSHALL"}).text, "OK");
    EXPECT_TRUE(waits_for(ask(*store), WaitWhy::just_visited)) << round;
  }
}

// The slot of a site moves to a server that has never heard of the owner of its hold.
TEST_F(GuardLosses, TheHoldOfAnOwnerThatTheServerDoesNotKnowLastsForALease) {
  RedisServer from;
  RedisServer to;
  const std::string key = "robotrules:{a.example}:g:https://a.example";
  ServerStoreOptions options;
  options.owner_lease = 1s;
  const auto owner = open_redis(from.url("?first_ever=1"), options);
  const auto store = open_redis(to.url("?first_ever=1"), options);
  ASSERT_TRUE(owner != nullptr && store != nullptr);
  ASSERT_TRUE(is_granted(ask(*owner)));
  pass(1'200ms);
  ASSERT_EQ(to.call({"SET", key, from.call({"GET", key}).text}).text, "OK");
  const ReserveRequest soon{.keys = asked.keys};
  EXPECT_TRUE(waits_for(ask(*store, soon), WaitWhy::in_flight));
  wait_until([&] { return is_granted(ask(*store, soon)); }, "the owner has not called");
}

// --- silence ---------------------------------------------------------------------------------------------------------

TEST_F(GuardLosses, AStoreThatIsOpenedNowAndThenNeedNotWaitEachTime) {
  RedisServer server;
  auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(is_granted(ask(*store)));
  store = nullptr;
  pass(1'300ms);
  store = open_redis(server.url());
  ASSERT_NE(store, nullptr);
  EXPECT_TRUE(is_granted(ask(*store, asked_other)));
  EXPECT_TRUE(waits_for(ask(*store), WaitWhy::interval));
}

// --- what this process knows -----------------------------------------------------------------------------------------

TEST_F(GuardLosses, PenaltiesAreSentAgainToAServerThatHasLostThem) {
  RedisServer server;
  const auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  const ReserveAnswer first = ask(*store);
  ASSERT_TRUE(is_granted(first));
  ASSERT_TRUE(store->complete(std::get<Granted>(first).token, {.status = 429, .retry_after = 1h}).ok());
  server.kill();
  server.start();
  wait_until(
      [&] {
        const auto state = store->gate(asked.keys.front());
        return state.ok() && state->penalty_until > store->now() + 59min;
      },
      "the penalty is back");
  const auto other = open_redis(server.url());
  ASSERT_NE(other, nullptr);
  EXPECT_TRUE(waits_for(ask(*other), WaitWhy::penalty));
  // A penalty that was lifted stays away.
  ASSERT_TRUE(store->forget(*Origin::of(asked.keys.front())).ok());
  ASSERT_EQ(server.call({"FLUSHALL"}).text, "OK");
  wait_until([&] { return store->just_visited().ok(); }, "it answers");
  pass(600ms);
  EXPECT_LT(store->gate(asked.keys.front()).value().penalty_until, store->now());
}

TEST_F(GuardLosses, FirstEverIsForTheFirstUseAlone) {
  RedisServer server;
  const auto first = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(first, nullptr);
  EXPECT_NE(first->health().problem.find("first_ever"), std::string::npos) << first->health().problem;
  const auto again = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(again, nullptr);
  EXPECT_NE(again->health().problem.find("no effect"), std::string::npos) << again->health().problem;
  // All keys are gone, but the server knows that the store is not new.
  ASSERT_EQ(server.call({"FLUSHALL"}).text, "OK");
  const auto late = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(late, nullptr);
  EXPECT_TRUE(waits_for(ask(*late), WaitWhy::just_visited));
}

// --- answers ---------------------------------------------------------------------------------------------------------

TEST_F(GuardLosses, AGrantThatComesTooLateIsGivenBack) {
  RedisServer server;
  const auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  server.pause();
  std::thread waker([&] {
    pass(1'500ms);
    server.resume();
  });
  const auto late = store->reserve(asked);
  waker.join();
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, "store-unreachable") << late.error().message;
  wait_until([&] { return store->gate(asked.keys.front()).ok(); }, "the server answers again");
  wait_until([&] { return is_granted(ask(*store)); }, "it was given back");
  EXPECT_EQ(store->gate(asked.keys.front()).value().visits, 1U);
}

TEST_F(GuardLosses, ALeaseWhoseAnswerWasLostIsGivenToItsOwnerAgain) {
  RedisServer server;
  ServerStoreOptions options;
  options.timeout = 2s;
  const auto store = open_redis(server.url("?first_ever=1"), options);
  ASSERT_NE(store, nullptr);
  const Origin origin = *Origin::of(asked.keys.front());
  server.pause();
  ASSERT_FALSE(store->lease_robots_fetch(origin, 1h).ok());
  server.resume();
  wait_until([&] { return store->gate(asked.keys.front()).ok(); }, "the server answers again");
  const auto again = store->lease_robots_fetch(origin, 1h);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(std::holds_alternative<RobotsLease>(again.value()));
  const auto third = store->lease_robots_fetch(origin, 1h);
  ASSERT_TRUE(third.ok()) << third.error().message;
  EXPECT_TRUE(std::holds_alternative<Wait>(third.value()));
}

// A name that belongs to another server now is looked up again only by a new connection.
TEST_F(GuardLosses, TheConnectionsToADemotedServerAreClosed) {
  RedisServer server;
  RedisServer other;
  const auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  ASSERT_NE(open_redis(other.url("?first_ever=1")), nullptr);  // a master has the functions, and so has its replica
  ASSERT_EQ(server.call({"REPLICAOF", "127.0.0.1", std::to_string(other.port())}).text, "OK");
  wait_until([&] { return server.info("master_link_status") == "up"; }, "it has the rows of its master");
  wait_until(
      [&] {
        const auto answer = store->reserve(asked);
        return !answer.ok() && answer.error().code == "store-read-only";
      },
      "it is a replica");
  const std::string before = server.info("total_connections_received");
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(store->reserve(asked).ok());
  // INFO took one of them.
  EXPECT_GE(std::stoi(server.info("total_connections_received")), std::stoi(before) + 4);
}

TEST_F(GuardLosses, AChildProcessDoesNotUseTheConnectionsOfItsParent) {
  RedisServer server;
  auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(is_granted(ask(*store)));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(20);
    const auto answer = store->gate(asked.keys.front());
    const bool is_refused = !answer.ok() && answer.error().code == "store-forked";
    store = nullptr;
    ::_exit(is_refused ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(store->gate(asked.keys.front()).value().in_flight, 1U) << "the child has ended the holds of its parent";
}

TEST_F(GuardLosses, ABodyIsKeptAsLongAsItsRecord) {
  const std::string prefix = new_prefix();
  const auto store = open_redis(shared_server().url("?first_ever=1&prefix=" + prefix));
  ASSERT_NE(store, nullptr);
  const Origin origin = *Origin::of("https://a.example");
  ASSERT_TRUE(store->put_robots(origin, record_of("x", store->now(), store->now())).ok());
  ASSERT_TRUE(store->set_fresh_until(origin, store->now() + 24h * 100).ok());
  const auto bodies = shared_server().call({"KEYS", prefix + ":{a.example}:b:*"});
  ASSERT_EQ(bodies.items.size(), 1U);
  EXPECT_GT(shared_server().call({"TTL", bodies.items[0].text}).number, 86'400 * 140);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
