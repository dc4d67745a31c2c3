// Robots whose store is in PostgreSQL, and a server of the store that goes away meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "support/agent/loopback.hpp"
#include "support/postgres/postgres_test.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr auto delay = 100ms;
constexpr int pages = 12;  // of each robot

TEST_F(PostgresTest, RobotsWaitWhileTheServerOfTheirStoreIsAwayAndGoOn) {
  PostgresServer server;
  Loopback site;
  site.robots_txt(reply(no_x));
  site.robot_options.pace.delay = delay;
  std::vector<std::shared_ptr<Store>> stores;
  std::vector<RobotUA> robots;
  for (int i = 0; i < 2; ++i) {
    stores.push_back(opened(server.uri("first_ever=1"), {.timeout = 3s}));
    auto rules = RobotRules::open(stores.back(), "test-robot", Dialect::rfc9309(), OtherAgent::refused);
    ASSERT_TRUE(rules.ok()) << rules.error().message;
    robots.push_back(RobotUA::make("test-robot/1.0", "robot@example.org",
                                   std::make_shared<RobotRules>(std::move(rules).value()), site.robot_options)
                         .value());
  }
  std::atomic<int> received{0};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (RobotUA& robot : robots) {
    threads.emplace_back([&] {
      for (int page = 0; page < pages; ++page) {
        if (robot.get(site.url("/y")).code != 200) ++wrong;
        ++received;
      }
    });
  }
  EXPECT_TRUE(eventually([&] { return received >= 4; }));
  server.stop(PostgresServer::Stop::immediate);
  EXPECT_TRUE(eventually([&] { return !stores[0]->health().is_reachable && !stores[1]->health().is_reachable; }));
  EXPECT_LT(received, 2 * pages);
  server.start();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(received, 2 * pages);
  EXPECT_EQ(site.times("/robots.txt"), 1U);
  EXPECT_EQ(site.times("/y"), std::size_t{2 * pages});
  EXPECT_EQ(stores[0]->visits(*Origin::of(site.url("/"))).value().count, std::uint64_t{2 * pages});
  std::vector<std::chrono::steady_clock::time_point> arrivals;
  for (const SeenRequest& request : site.server.witness().requests()) {
    if (request.target == "/y") arrivals.push_back(request.arrived.steady);
  }
  for (std::size_t i = 1; i < arrivals.size(); ++i) EXPECT_GE(arrivals[i] - arrivals[i - 1], delay) << i;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
