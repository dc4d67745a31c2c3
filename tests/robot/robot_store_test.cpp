// RobotUAOptions::store: robots that share a store keep its records and intervals together, and nothing deletes it.
#include <robotrules/open_store.hpp>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class RobotStore : public LocalAgent {
 protected:
  Result<RobotUA> make(const std::string& agent, std::shared_ptr<Store> store) {
    robot_options.store = std::move(store);
    return RobotUA::make(agent, "me@example.org", robot_options);
  }
};

TEST_F(RobotStore, RobotsOverOneFileShareRulesAndIntervals) {
  const std::string file = new_folder() + "/robots.db";
  robots_txt(reply(no_x));
  server.on("", "/y", reply("page y"));
  robot_options.pace.delay = std::chrono::hours(1);
  robot_options.use_sleep = false;
  auto first = make("FooBot/1.0", open_store(file, {.sqlite = {.first_ever = true}}).value());
  auto second = make("FooBot/2.0", open_store(file).value());
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->get(url("/y")).body, "page y");
  EXPECT_EQ(second->get(url("/x")).source, ResponseSource::robots_denied);
  EXPECT_EQ(times("/robots.txt"), 1U) << "the second robot found it in the store";
  EXPECT_EQ(second->get(url("/y")).source, ResponseSource::too_early);
  EXPECT_EQ(second->visits(url("/")).value().count, 1U);
  // A robot without the field has a store of its own.
  auto alone = make("FooBot/1.0", nullptr);
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->get(url("/y")).body, "page y");
  EXPECT_EQ(times("/robots.txt"), 2U);
}

TEST_F(RobotStore, OfAnotherNameIsRefusedAndKept) {
  const auto store = make_memory_store();
  auto foo = make("FooBot/1.0", store);
  ASSERT_TRUE(foo);
  ASSERT_TRUE(foo->rules()->parse(url("/robots.txt"), no_x));
  const auto bar = make("BarBot/1.0", store);
  ASSERT_FALSE(bar);
  EXPECT_EQ(bar.error().code, "other-agent");
  const auto renamed = foo->agent("BarBot/1.0");
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.error().code, "other-agent");
  EXPECT_EQ(foo->product_token(), "FooBot");
  EXPECT_EQ(store->agent().value(), "FooBot");
  EXPECT_NE(store->robots(*Origin::of(url("/"))).value(), nullptr);
  // The name in robots.txt files counts, not the header.
  robot_options.product_token = "FooBot";
  EXPECT_TRUE(make("BarBot/1.0", store));
}

TEST_F(RobotStore, AndRulesAreTwoStores) {
  robot_options.store = make_memory_store();
  const auto rules = std::make_shared<RobotRules>("OtherBot");
  const auto robot = RobotUA::make("FooBot/1.0", "me@example.org", rules, robot_options);
  ASSERT_FALSE(robot);
  EXPECT_EQ(robot.error().code, "two-stores");
  EXPECT_EQ(rules->agent(), "OtherBot") << "nothing has changed";
  EXPECT_EQ(robot_options.store->agent().value(), "");
}

TEST_F(RobotStore, KeepsThePolicyAsRulesDo) {
  const auto store = make_memory_store();
  ASSERT_TRUE(store->set_policy(RobotsPolicy::strict()));
  EXPECT_EQ(make("FooBot/1.0", store)->policy().name, "strict");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
