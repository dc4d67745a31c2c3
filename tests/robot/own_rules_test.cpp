// A RobotUA obeys the program's own rules beside the robots.txt of a site.
#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using RobotOwnRules = LocalAgent;

TEST_F(RobotOwnRules, CloseWithoutARequest) {
  robots_txt(reply("User-agent: *\nAllow: /\n"));
  server.on("", "/x", redirect(302, "/own/page"));
  server.on("", "/own/page", reply("own"));
  server.on("", "/y", reply("page y"));
  ASSERT_TRUE(robot().rules()->push_rules(url("/"), {"/own"}).ok());
  const Response denied = get("/own/page");
  EXPECT_EQ(denied.source, ResponseSource::robots_denied);
  EXPECT_EQ(denied.code, 403);
  EXPECT_NE(denied.warning.find("Disallow: /own"), std::string::npos) << denied.warning;
  ASSERT_NE(denied.robots, nullptr);
  EXPECT_EQ(denied.robots->access, Access::disallowed);
  EXPECT_EQ(denied.robots->verdict.rule()->pattern, "/own");
  EXPECT_EQ(count(), 0U) << "not even for robots.txt";
  EXPECT_EQ(robot().allowed(url("/own")), Access::disallowed);
  EXPECT_EQ(robot().allowed(url("/y")), Access::allowed);
  EXPECT_EQ(get("/y").body, "page y");
  EXPECT_EQ(get("/x").source, ResponseSource::robots_denied) << "a redirect into it";
  EXPECT_EQ(get("/%6Fwn/").source, ResponseSource::robots_denied) << "in another spelling";
  EXPECT_EQ(times("/own/page"), 0U);
  RobotUA twin = robot().clone();
  EXPECT_EQ(twin.get(url("/own/page")).source, ResponseSource::robots_denied);
  ASSERT_TRUE(robot().rules()->clear_own_rules(url("/")).ok());
  EXPECT_EQ(get("/own/page").body, "own");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
