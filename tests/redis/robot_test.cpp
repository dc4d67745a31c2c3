// A robot over a store in Redis: it waits while the server is away, and goes on when it is back.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/robot_ua.hpp>

#include "redis/redis_stores.hpp"
#include "support/agent/loopback.hpp"
#include "support/redis/redis_cluster.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class RedisRobot : public LocalAgent {
 protected:
  void SetUp() override {
    NEEDS_REDIS();
    robots_txt(reply(no_x));
    server.on("", "/y", reply("page y"));
    server.on("", "/z", reply("page z"));
    redis = std::make_unique<RedisServer>(std::vector<std::string>{"--appendonly", "yes", "--appendfsync", "always"});
    ServerStoreOptions quick;
    quick.timeout = 2s;
    store = open_redis(redis->url("?first_ever=1"), quick);
    ASSERT_NE(store, nullptr);
  }
  RobotUA robot_over_redis() {
    auto rules = RobotRules::open(store, "TestBot", Dialect::rfc9309(), OtherAgent::refused);
    EXPECT_TRUE(rules.ok());
    auto made = RobotUA::make("TestBot/1.0", "me@test.example", std::make_shared<RobotRules>(std::move(rules).value()),
                              robot_options);
    EXPECT_TRUE(made.ok());
    return std::move(made).value();
  }

  static std::future<Response> begin(RobotUA& robot, const std::string& url) {
    auto promise = std::make_shared<std::promise<Response>>();
    auto future = promise->get_future();
    Request request;
    request.url = url;
    robot.start(std::move(request), [promise](Response response) { promise->set_value(std::move(response)); });
    return future;
  }

  std::unique_ptr<RedisServer> redis;
  std::shared_ptr<Store> store;
};

TEST_F(RedisRobot, ItObeysAndItsStoreRemembers) {
  RobotUA robot = robot_over_redis();
  EXPECT_EQ(robot.get(url("/x")).source, ResponseSource::robots_denied);
  EXPECT_EQ(robot.get(url("/y")).code, 200);
  EXPECT_EQ(store->visits(*Origin::of(url("/"))).value().count, 1U);
  EXPECT_EQ(times("/robots.txt"), 1U);
}

TEST_F(RedisRobot, ItWaitsForAServerThatIsKilledAndGoesOnWhenItIsBack) {
  robot_options.pace.delay = 1ms;
  RobotUA robot = robot_over_redis();
  ASSERT_EQ(robot.get(url("/y")).code, 200);
  redis->kill();
  auto waiting = begin(robot, url("/z"));
  wait_until([&] { return store->health().failures > 2; }, "the robot asks for the gate");
  EXPECT_EQ(times("/z"), 0U) << "never a gate of its own";
  redis->start();
  EXPECT_EQ(waiting.get().code, 200);
  EXPECT_EQ(times("/z"), 1U);
  wait_until([&] { return store->visits(*Origin::of(url("/"))).ok(); }, "the server answers");
  EXPECT_EQ(store->visits(*Origin::of(url("/"))).value().count, 2U) << "no visit was lost or counted twice";
}

TEST_F(RedisRobot, ItWaitsForAServerThatHangs) {
  robot_options.pace.delay = 1ms;
  RobotUA robot = robot_over_redis();
  ASSERT_EQ(robot.get(url("/y")).code, 200);
  redis->pause();
  auto waiting = begin(robot, url("/z"));
  wait_until([&] { return store->health().failures > 1; }, "the robot asks for the gate");
  EXPECT_EQ(times("/z"), 0U);
  redis->resume();
  EXPECT_EQ(waiting.get().code, 200);
  EXPECT_EQ(times("/z"), 1U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
