// Own rules of a program (RobotRules::push_rules()), whatever store keeps them.
#include "store/store_contract.hpp"

#include <string>
#include <thread>
#include <vector>

#include <robotrules/robot_rules.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

class OwnRulesContract : public StoreContract {
 protected:
  RobotRules opened(std::string_view agent = "FooBot") const { return RobotRules::open(store, agent).value(); }
};

TEST_P(OwnRulesContract, OutliveTheObjectAndPruning) {
  ASSERT_TRUE(opened().push_rules("https://a.example", {"/own"}).ok());
  ASSERT_TRUE(opened().push_rules("https://b.example", {"/other"}).ok());
  clock.advance(std::chrono::days(4'000));
  ASSERT_TRUE(store->prune(clock.now()).ok());
  RobotRules again = opened();
  EXPECT_EQ(again.allowed("https://a.example/own"), Access::disallowed);
  EXPECT_EQ(again.allowed("https://b.example/other"), Access::disallowed);
  ASSERT_TRUE(again.clear_own_rules("https://a.example").ok());
  EXPECT_EQ(opened().allowed("https://a.example/own"), Access::unknown);
  EXPECT_EQ(opened().allowed("https://b.example/other"), Access::disallowed);
}

TEST_P(OwnRulesContract, EndWithTheRobotsName) {
  ASSERT_TRUE(opened().push_rules("https://a.example", {"/own"}).ok());
  EXPECT_EQ(opened("BarBot").allowed("https://a.example/own"), Access::unknown);
  EXPECT_EQ(opened("FooBot").allowed("https://a.example/own"), Access::unknown);
}

TEST_P(OwnRulesContract, OfTwoProgramsAtOnceAreAllKept) {
  constexpr int rules_each = 10;
  const auto push = [&](const std::string& host) {
    RobotRules rules = opened();
    for (int i = 0; i < rules_each; ++i) {
      EXPECT_TRUE(rules.push_rules("https://" + host, {"/" + std::to_string(i) + "/"}).ok());
    }
  };
  std::thread one(push, "a.example"), other(push, "b.example");
  one.join();
  other.join();
  const RobotRules all = opened();
  for (const char* host : {"a.example", "b.example"}) {
    for (int i = 0; i < rules_each; ++i) {
      const std::string url = "https://" + std::string(host) + "/" + std::to_string(i) + "/";
      EXPECT_EQ(all.allowed(url), Access::disallowed) << url;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, OwnRulesContract, testing::ValuesIn(backends()),
                         [](const auto& backend) { return backend.param.name; });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
