// The decision in a note is what was decided, whether rules or a policy decided it.
#include <gtest/gtest.h>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

TEST(NoteAccess, IsWhatWasDecided) {
  struct Case {
    WireReply robots;
    RobotsPolicy policy;
    Access access;
  };
  const Case cases[] = {
      {{.body = "User-agent: *\nDisallow: /x\n"}, RobotsPolicy::rfc9309(), Access::disallowed},
      {{.body = "User-agent: *\nDisallow: /y\n"}, RobotsPolicy::rfc9309(), Access::allowed},
      {{.body = ""}, RobotsPolicy::rfc9309(), Access::allowed},
      {{.status = 404}, RobotsPolicy::rfc9309(), Access::allowed},
      {{.status = 403}, RobotsPolicy::rfc9309(), Access::allowed},
      {{.status = 403}, RobotsPolicy::strict(), Access::disallowed},
      {{.status = 503}, RobotsPolicy::rfc9309(), Access::disallowed},
      {{.status = 500}, RobotsPolicy::robotstxt_rb(), Access::allowed},
      {failure(TransferError::connect), RobotsPolicy::rfc9309(), Access::disallowed},
  };
  for (const Case& one : cases) {
    RobotUAOptions options = undelayed();
    options.policy = one.policy;
    RobotRig rig(options);
    rig.transport->on("http://a.test/robots.txt", one.robots);
    const Response page = rig.fetch("http://a.test/x");
    ASSERT_NE(page.robots, nullptr);
    EXPECT_EQ(page.robots->access, one.access) << one.robots.status << ' ' << one.policy.name;
    const RobotRig::Consulted asked = rig.consult("http://a.test/x");
    EXPECT_EQ(asked.access, one.access);
    EXPECT_EQ(asked.note->access, one.access);
  }
}

TEST(NoteAccess, OfRobotsTxtItselfIsAllowed) {
  RobotRig rig;
  rig.site("http://a.test", "User-agent: *\nDisallow: /\n");
  EXPECT_EQ(rig.consult("http://a.test/robots.txt").note->access, Access::allowed);
}

TEST(NoteAccess, StaysWhereTheSiteMustBeLeftAlone) {
  RobotUAOptions options = undelayed();
  options.max_wait = 60s;
  RobotRig rig(options);
  rig.site("http://a.test", "");
  rig.transport->on("http://a.test/x", {.status = 429, .headers = {{"Retry-After", "7200"}}});
  EXPECT_EQ(rig.fetch("http://a.test/x").robots->access, Access::allowed);
  const Response parked = rig.fetch("http://a.test/y");
  EXPECT_EQ(parked.source, ResponseSource::parked);
  EXPECT_EQ(parked.robots->access, Access::allowed);
  EXPECT_EQ(parked.received_status(), 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
