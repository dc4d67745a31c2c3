// The name that a RobotUA obeys, found in its User-Agent header or given apart from it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr const char* a = "http://a.test";

// A site that closes /NAME/ to each of these robots.
std::string closed_to(const std::vector<std::string_view>& names) {
  std::string robots;
  for (const std::string_view name : names) {
    robots.append("User-agent: ").append(name).append("\nDisallow: /").append(name).append("/\n\n");
  }
  return robots;
}

ResponseSource source_of(RobotRig& rig, std::string_view name) {
  return rig.fetch(std::string(a) + "/" + std::string(name) + "/").source;
}

TEST(RobotUAName, WithDigitsAndDotsIsObeyed) {
  for (const std::string_view name : {"MJ12bot", "360Spider", "crawler4j", "archive.org_bot"}) {
    RobotRig rig;
    rig.site(a, closed_to({"FooBot", name}));
    ASSERT_TRUE(rig.agent().agent(std::string(name) + "/1.4"));
    EXPECT_EQ(rig.agent().product_token(), name);
    EXPECT_EQ(source_of(rig, name), ResponseSource::robots_denied) << name;
    EXPECT_EQ(source_of(rig, "FooBot"), ResponseSource::server) << name;
  }
}

TEST(RobotUAName, IsFoundInAWholeHeader) {
  RobotRig rig;
  rig.site(a, closed_to({"Mozilla", "FooBot"}));
  const std::string header = "Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.test/)";
  ASSERT_TRUE(rig.agent().agent(header));
  EXPECT_EQ(source_of(rig, "FooBot"), ResponseSource::robots_denied);
  EXPECT_EQ(source_of(rig, "Mozilla"), ResponseSource::server);
  EXPECT_EQ(rig.pages(a).back().headers.get("User-Agent"), header);
}

TEST(RobotUAName, StaysIfTheHeaderEndsWithASpaceAndGetsTheDefault) {
  const std::string own = " robotrules/" ROBOTRULES_VERSION;
  const auto made = RobotUA::make("FooBot/1.0 ", "me@example.org");
  ASSERT_TRUE(made);
  EXPECT_EQ(made.value().product_token(), "FooBot");
  EXPECT_EQ(made.value().agent(), "FooBot/1.0" + own);
  RobotRig rig;
  rig.site(a, closed_to({"FooBot", "robotrules"}));
  ASSERT_TRUE(rig.agent().agent("BarBot/2.0 "));
  EXPECT_EQ(rig.agent().product_token(), "BarBot");
  EXPECT_EQ(rig.agent().agent(), "BarBot/2.0" + own);
  ASSERT_TRUE(rig.agent().agent(rig.agent().agent()));  // what it is called already
  EXPECT_EQ(rig.agent().product_token(), "BarBot");
  EXPECT_EQ(source_of(rig, "BarBot"), ResponseSource::server);
  EXPECT_EQ(rig.pages(a).back().headers.get("User-Agent"), "BarBot/2.0" + own);
}

TEST(RobotUAName, MayBeGivenApartFromTheHeader) {
  RobotUAOptions options;
  options.product_token = "MJ12bot";
  const auto made = RobotUA::make("Mozilla/5.0 (compatible; OtherBot/1.0)", "me@example.org", options);
  ASSERT_TRUE(made);
  EXPECT_EQ(made.value().product_token(), "MJ12bot");
  EXPECT_EQ(made.value().rules()->agent(), "MJ12bot");
  RobotUA twin = made.value().clone();
  ASSERT_TRUE(twin.agent("OtherBot/2.0"));  // another header of the same robot
  EXPECT_EQ(twin.product_token(), "MJ12bot");
  EXPECT_EQ(twin.agent(), "OtherBot/2.0");
}

TEST(RobotUAName, ThatNoFileCanNameIsRefused) {
  for (const char* agent : {"", "*", "/1.0", "(+http://foo.test/)", "  "}) {
    EXPECT_EQ(RobotUA::make(agent, "me@example.org").error().code, "invalid-agent") << agent;
  }
  for (const char* token : {"*", "Foo Bot", "Foo/1.0", "Foo#", "Foo\n"}) {
    RobotUAOptions options;
    options.product_token = token;
    EXPECT_EQ(RobotUA::make("FooBot/1.0", "me@example.org", options).error().code, "invalid-agent") << token;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
