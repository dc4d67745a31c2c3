// What users of LWP::RobotUA rely on. Its bugs are in lwp_bugs_test.cpp.
#include <gtest/gtest.h>

#include "agent/robot_rig.hpp"

namespace robotrules::test {
namespace {

using namespace std::chrono_literals;

TEST(LwpContract, ADisallowedUrlIs403ForbiddenByRobotsTxt) {
  RobotRig rig;
  rig.site("http://a.test", "User-agent: *\nDisallow: /x\n");
  const Response denied = rig.fetch("http://a.test/x");
  EXPECT_EQ(denied.status_line(), "403 Forbidden by robots.txt");
  EXPECT_EQ(denied.source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("http://a.test/y").body, "page");
  EXPECT_EQ(rig.robots("http://a.test"), 1U);
  EXPECT_EQ(rig.pages().size(), 1U);
}

}  // namespace
}  // namespace robotrules::test
