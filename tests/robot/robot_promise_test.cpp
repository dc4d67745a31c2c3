// A RobotUA obeys robots.txt under the name that it sends, whatever is done to it through its UserAgent.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "support/agent/loopback.hpp"
#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";

class RobotPromise : public testing::Test {
 protected:
  RobotPromise() { site.robots_txt(reply(no_x)); }
  void expect_robot(UserAgent& agent) {
    EXPECT_EQ(agent.get(site.url("/y")).code, 200);
    EXPECT_EQ(agent.get(site.url("/x")).source, ResponseSource::robots_denied);
    EXPECT_EQ(site.times("/x"), 0U);
    EXPECT_EQ(site.robot().visits(site.url("/")).value().count, ++visits);  // they share their records
  }
  Loopback site;
  std::uint64_t visits = 0;
};

TEST_F(RobotPromise, TheCloneThatItsBaseMakesIsARobot) {
  const UserAgent& base = site.robot();
  UserAgent twin = base.clone();
  expect_robot(twin);
  UserAgent twin_of_twin = twin.clone();
  expect_robot(twin_of_twin);
}

TEST_F(RobotPromise, WhatIsMovedOutOfItsBaseIsARobot) {
  RobotUA twin = site.robot().clone();
  UserAgent moved = std::move(static_cast<UserAgent&>(twin));
  expect_robot(moved);
  RobotUA another = site.robot().clone();
  UserAgent assigned;
  assigned = std::move(static_cast<UserAgent&>(another));
  expect_robot(assigned);
}

TEST_F(RobotPromise, APlainAgentThatIsMovedIntoItsBaseDoesNotReplaceIt) {
  RobotUA robot = site.robot().clone();
  const UserAgentOptions plain = site.options;
  static_cast<UserAgent&>(robot) = UserAgent(plain);
  expect_robot(robot);
  EXPECT_EQ(robot.allowed(site.url("/x")), Access::disallowed);
  RobotUA other = site.robot().clone();
  static_cast<UserAgent&>(robot) = std::move(static_cast<UserAgent&>(other));
  expect_robot(robot);
}

TEST_F(RobotPromise, ConfigureKeepsItsName) {
  RobotUA& robot = site.robot();
  const std::string name = robot.agent();
  UserAgentOptions other = robot.options();
  other.agent = "Mozilla/5.0";
  other.from = "other@example.org";
  static_cast<UserAgent&>(robot).configure(other);
  EXPECT_EQ(robot.agent(), name);
  EXPECT_EQ(robot.options().from, "other@example.org");
  expect_robot(robot);
  EXPECT_EQ(site.server.witness().requests("/y").at(0).header("User-Agent"), name);
}

// What a request, a default header or a handler may not say.
TEST(RobotHeaders, ThatSpeakForAnotherRobotOrSiteAreRefused) {
  const struct {
    const char* name;
    Headers headers;
    bool fine;
  } cases[] = {
      {"nothing", {}, true},
      {"another field", {{"X-Name", "Mozilla/5.0"}}, true},
      {"its own name", {{"User-Agent", "my-robot/0.1"}}, true},
      {"another name", {{"User-Agent", "Mozilla/5.0"}}, false},
      {"its name in front of another", {{"User-Agent", "my-robot/0.1 Mozilla/5.0"}}, false},
      {"its name and another", {{"User-Agent", "my-robot/0.1"}, {"user-agent", "Mozilla/5.0"}}, false},
      {"no name", {{"User-Agent", ""}}, false},
      {"its own site", {{"Host", "A.test"}}, true},
      {"its own site with its port", {{"Host", "a.test:80"}}, true},
      {"another site", {{"Host", "b.test"}}, false},
      {"another port", {{"Host", "a.test:8080"}}, false},
      {"a path behind the host", {{"Host", "a.test/x"}}, false},
      {"another site in front of its own", {{"Host", "b.test@a.test"}}, false},
      {"two sites", {{"Host", "a.test"}, {"HOST", "b.test"}}, false},
  };
  for (const auto& one : cases) {
    RobotRig rig;
    rig.site(a, "");
    EXPECT_EQ(rig.fetch(request_to("http://a.test/1", "GET", one.headers)).source,
              one.fine ? ResponseSource::server : ResponseSource::invalid_request)
        << one.name;
    for (const Phase phase : {Phase::request_preprepare, Phase::request_prepare, Phase::request_send}) {
      RobotRig handled;
      handled.site(a, "");
      handled.agent().add_handler(phase, [&](HandlerCall& call) {
        for (const HeaderField& field : one.headers) call.request->headers.remove(field.name);
        for (const HeaderField& field : one.headers) call.request->headers.add(field.name, field.value);
        return HandlerAnswer{};
      });
      EXPECT_EQ(handled.fetch("http://a.test/1").source,
                one.fine ? ResponseSource::server : ResponseSource::invalid_request)
          << one.name << static_cast<int>(phase);
      EXPECT_EQ(handled.pages().size(), one.fine ? 1U : 0U) << one.name;
    }
  }
}

TEST(RobotHeaders, ANameThatAHandlerTakesAwayIsMissed) {
  RobotRig rig;
  rig.site(a, "");
  rig.agent().add_handler(Phase::request_prepare, [](HandlerCall& call) {
    call.request->headers.remove("User-Agent");
    return HandlerAnswer{};
  });
  const Response response = rig.fetch("http://a.test/1");
  EXPECT_EQ(response.source, ResponseSource::invalid_request);
  EXPECT_NE(response.warning.find("my-robot/0.1"), std::string::npos) << response.warning;
  EXPECT_TRUE(rig.pages().empty());
}

TEST(RobotHandlers, ThatChangeTheUrlAreAskedAboutWhatTheyMadeOfIt) {
  for (const Phase phase : {Phase::request_preprepare, Phase::request_prepare, Phase::request_send}) {
    RobotRig rig;
    rig.site(a, "");
    rig.site("http://b.test", "User-agent: *\nDisallow: /x\n");
    rig.agent().add_handler(phase, [](HandlerCall& call) {
      call.request->url = "http://b.test/x";
      return HandlerAnswer{};
    });
    EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied) << static_cast<int>(phase);
    EXPECT_TRUE(rig.pages().empty());
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
