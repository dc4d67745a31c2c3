// A store in a Redis Cluster: slots, moves of slots, nodes that fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include <robotrules/open_store.hpp>

#include "redis/redis_stores.hpp"
#include "servers/redis/site_tag.hpp"
#include "store/store_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using store::redis::slot_of;
using store::redis::tag_of_gate;
using store::redis::tag_of_host;

TEST(SiteTag, AllKeysOfASiteHaveItsRegistrableDomain) {
  EXPECT_EQ(tag_of_gate("https://www.example.co.uk:8443"), "example.co.uk");
  EXPECT_EQ(tag_of_gate("host:www.example.co.uk"), "example.co.uk");
  EXPECT_EQ(tag_of_gate("domain:example.co.uk"), "example.co.uk");
  EXPECT_EQ(tag_of_host("www.example.co.uk"), "example.co.uk");
  EXPECT_EQ(tag_of_gate("http://192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(tag_of_gate("host:[2001:db8::1]"), "[2001:db8::1]");
  EXPECT_EQ(tag_of_gate("http://me.github.io"), "me.github.io");
  EXPECT_EQ(tag_of_gate("a key}of{another kind"), "a key_of_another kind");
}

// The examples of the specification of Redis Cluster.
TEST(SiteTag, SlotsAreThoseOfRedis) {
  EXPECT_EQ(slot_of("123456789"), 0x31C3 % 16'384);
  EXPECT_EQ(slot_of("user1000"), 3443);
}

class Cluster : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_REDIS();
    store = open("?first_ever=1&prefix=" + prefix);
    ASSERT_NE(store, nullptr);
  }
  static RedisCluster& cluster() { return shared_cluster(); }
  static std::shared_ptr<Store> open(const std::string& settings, std::chrono::milliseconds timeout = 60s) {
    ServerStoreOptions options;
    options.timeout = timeout;
    return open_redis(cluster().url(settings), options, {.guard = false, .max_answer_time = 60s});
  }
  static std::string site(int number) { return "https://www.site" + std::to_string(number) + ".example"; }
  static std::uint16_t slot(int number) { return slot_of(tag_of_gate(site(number))); }

  std::string prefix = new_prefix();
  std::shared_ptr<Store> store;
};

TEST_F(Cluster, OneBatchGoesToAllNodes) {
  GateCalls calls;
  for (int i = 0; i < 60; ++i)
    calls.requests.push_back(std::make_shared<ReserveRequest>(ReserveRequest{{site(i)}, 1h}));
  const GateAnswers first = store->call_gate(calls);
  GateCalls ends;
  for (const auto& answer : first.requests) {
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    ASSERT_TRUE(std::holds_alternative<Granted>(answer.value()));
    ends.ends.push_back({std::get<Granted>(answer.value()).token, Outcome{.status = 200, .retry_after = {}}});
  }
  ends.requests = calls.requests;
  const GateAnswers second = store->call_gate(ends);
  for (const auto& ended : second.ends) EXPECT_TRUE(ended.ok()) << ended.error().message;
  for (const auto& answer : second.requests) {
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    ASSERT_TRUE(std::holds_alternative<Wait>(answer.value()));
    EXPECT_EQ(std::get<Wait>(answer.value()).why, WaitWhy::interval);
    EXPECT_NEAR(static_cast<double>((std::get<Wait>(answer.value()).until - store->now()).count()), 3600e6, 5e6);
  }
  EXPECT_EQ(store->stats().value().gates, 60U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_GT(cluster().node(i).call({"DBSIZE"}).number, 5);
}

TEST_F(Cluster, KeysOfOneSiteAreReservedTogether) {
  const ReserveRequest three{{"https://www.a.example", "host:www.a.example", "domain:a.example"}, 1h};
  const auto answer = store->reserve(three);
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_TRUE(std::holds_alternative<Granted>(answer.value()));
  EXPECT_EQ(store->gate("domain:a.example").value().visits, 1U);
}

TEST_F(Cluster, KeysByAddressAndOfTwoSitesAreRefusedInWords) {
  const auto by_address = store->reserve({.keys = {"https://a.example", "ip:192.0.2.1"}});
  ASSERT_FALSE(by_address.ok());
  EXPECT_EQ(by_address.error().code, "invalid-request");
  EXPECT_NE(by_address.error().message.find("ip:192.0.2.1"), std::string::npos);
  EXPECT_EQ(store->reserve({.keys = {"https://a.example", "host:b.example"}}).error().code, "invalid-request");
}

TEST_F(Cluster, RecordsAreOnAllNodes) {
  std::vector<std::pair<Origin, RobotsRecord>> records;
  for (int i = 0; i < 300; ++i) {
    records.emplace_back(*Origin::of(site(i)), record_of(i % 2 == 0 ? "even" : "odd", store->now(), store->now()));
  }
  ASSERT_TRUE(store->put_all(records).ok());
  ASSERT_TRUE(store->set_policy(RobotsPolicy::strict()).ok());
  EXPECT_EQ(store->policy().value(), RobotsPolicy::strict());
  const auto other = open("?prefix=" + prefix);
  ASSERT_NE(other, nullptr);
  std::vector<std::string> names;
  ASSERT_TRUE(other
                  ->for_each_origin([&](const Origin& origin, const RobotsRecord& record) {
                    names.push_back(origin.to_string());
                    return record.body != nullptr;
                  })
                  .ok());
  EXPECT_EQ(names.size(), 300U);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  const StoreStats stats = other->stats().value();
  EXPECT_EQ(stats.origins, 300U);
  EXPECT_EQ(stats.bodies, 2U);
  EXPECT_EQ(stats.body_bytes, 7U);
  EXPECT_EQ(*other->robots(*Origin::of(site(7))).value()->body, "odd");
  EXPECT_EQ(other->prune(other->now() + 1h).value().robots, 300U);
  ASSERT_TRUE(other->set_agent("FooBot").ok());
  EXPECT_EQ(store->agent().value(), "FooBot");
}

TEST_F(Cluster, AMovedSlotIsFollowed) {
  const std::uint16_t moved = slot(1);
  const std::size_t from = cluster().master_of(moved);
  const std::size_t to = (from + 1) % 3;
  ASSERT_TRUE(std::holds_alternative<Granted>(store->reserve({.keys = {site(1)}, .interval = 1h}).value()));
  cluster().begin_move(moved, from, to);
  // The slot is open on both nodes: some keys are here, and some are there.
  const std::string host = "host:" + site(1).substr(8);
  const auto asked = store->reserve({.keys = {host}, .interval = 1h});
  ASSERT_TRUE(asked.ok()) << asked.error().message;
  EXPECT_TRUE(std::holds_alternative<Granted>(asked.value()));
  EXPECT_EQ(std::get<Wait>(store->reserve({.keys = {site(1)}, .interval = 1h}).value()).why, WaitWhy::interval);
  // Keys that are not all on one node have to wait for the move.
  std::thread mover([&] {
    cluster().move_keys(moved, from, to);
    cluster().end_move(moved, to);
  });
  const auto both = store->reserve({.keys = {site(1), host}, .interval = 1h});
  mover.join();
  ASSERT_TRUE(both.ok()) << both.error().message;
  EXPECT_TRUE(std::holds_alternative<Wait>(both.value()));
  EXPECT_EQ(cluster().master_of(moved), to);
  EXPECT_EQ(store->gate(site(1)).value().visits, 1U);
  EXPECT_EQ(store->gate(host).value().visits, 1U);
}

TEST_F(Cluster, NothingIsGrantedTwiceWhileSlotsMove) {
  std::vector<std::thread> threads;
  std::atomic<int> granted = 0;
  std::atomic<bool> ends = false;
  std::atomic<int> rounds = 0;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      const auto own = open("?prefix=" + prefix);
      while (!ends || rounds < 4) {
        GateCalls calls;
        for (int i = 10; i < 30; ++i) {
          calls.requests.push_back(std::make_shared<ReserveRequest>(ReserveRequest{{site(i)}, 1h}));
        }
        for (const auto& answer : own->call_gate(calls).requests) {
          EXPECT_TRUE(answer.ok()) << answer.error().message;
          if (answer.ok() && std::holds_alternative<Granted>(answer.value())) ++granted;
        }
        ++rounds;
      }
    });
  }
  for (int i = 10; i < 14; ++i) {
    const std::size_t from = cluster().master_of(slot(i));
    const std::size_t to = (from + 1) % 3;
    cluster().begin_move(slot(i), from, to);
    cluster().move_keys(slot(i), from, to);
    cluster().end_move(slot(i), to);
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(granted, 20);
  for (int i = 10; i < 30; ++i) EXPECT_EQ(store->gate(site(i)).value().visits, 1U) << site(i);
}

TEST_F(Cluster, ANodeThatHangsFailsItsOwnKeysAlone) {
  store = open("?prefix=" + prefix, 4s);
  GateCalls calls;
  for (int i = 0; i < 30; ++i)
    calls.requests.push_back(std::make_shared<ReserveRequest>(ReserveRequest{{site(i)}, 1h}));
  cluster().node(0).pause();
  const GateAnswers answers = store->call_gate(calls);
  std::size_t failed = 0;
  for (int i = 0; i < 30; ++i) {
    const auto& answer = answers.requests[static_cast<std::size_t>(i)];
    if (!answer) {
      EXPECT_EQ(answer.error().code, "store-unreachable") << answer.error().message;
      ++failed;
    }
  }
  EXPECT_GT(failed, 0U);
  EXPECT_LT(failed, 30U);
  EXPECT_FALSE(store->health().is_reachable);
  // The next calls do not wait for it.
  const auto begun = std::chrono::steady_clock::now();
  static_cast<void>(store->call_gate(calls));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 3s);
  cluster().node(0).resume();
  wait_until([&] { return cluster().is_ok(); }, "the cluster is whole again");
  wait_until(
      [&] {
        const GateAnswers again = store->call_gate(calls);
        return std::ranges::all_of(again.requests, [](const auto& answer) { return answer.ok(); });
      },
      "all keys can be asked for again");
}

TEST_F(Cluster, AServerOfAnotherKindIsRefusedInWords) {
  RedisServer single;
  const auto one = open_store("redis+cluster://" + single.address());
  ASSERT_FALSE(one.ok());
  EXPECT_EQ(one.error().code, "store-name") << one.error().message;
  const auto other = open_store("redis://" + cluster().node(0).address());
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, "store-name") << other.error().message;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
