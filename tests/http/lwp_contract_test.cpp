// What users of LWP::RobotUA rely on. Its bugs are in lwp_bugs_test.cpp.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";

TEST(LwpContract, TheConstructorNeedsAnAgentAndAContact) {
  for (const char* agent : {"", "/1.0", "*"}) {
    const auto made = RobotUA::make(agent, "me@example.org");
    ASSERT_FALSE(made) << agent;
    EXPECT_EQ(made.error().code, "invalid-agent");
  }
  for (const char* from : {"", "me", "example.org"}) {
    const auto made = RobotUA::make("my-robot/0.1", from);
    ASSERT_FALSE(made) << from;
    EXPECT_EQ(made.error().code, "invalid-contact");
  }
  const auto made = RobotUA::make("my-robot/0.1", "me@example.org");
  ASSERT_TRUE(made);
  EXPECT_EQ(made.value().delay(), 1min);
  EXPECT_TRUE(made.value().use_sleep());
}

TEST(LwpContract, AgentAndFromAreSent) {
  RobotRig rig;
  rig.fetch("http://a.test/");
  for (const WireRequest& request : rig.transport->log()) {
    EXPECT_EQ(request.headers.get("User-Agent"), "my-robot/0.1");
    EXPECT_EQ(request.headers.get("From"), "me@example.org");
  }
  EXPECT_EQ(rig.transport->log().size(), 2U);
}

TEST(LwpContract, RulesThatAreGivenGetTheRobotsName) {
  const auto rules = std::make_shared<RobotRules>("nobody");
  auto made = RobotUA::make("my-robot/0.1", "me@example.org", rules);
  ASSERT_TRUE(made);
  EXPECT_EQ(made.value().rules(), rules);
  EXPECT_EQ(made.value().rules(nullptr).error().code, "no-rules");
  EXPECT_EQ(made.value().rules(), rules);
  EXPECT_EQ(rules->agent(), "my-robot");
}

TEST(LwpContract, TheDelayIsKeptAndMayBeChanged) {
  RobotRig rig(delayed(1min));
  rig.site(a, "");
  rig.fetch("http://a.test/1");
  rig.fetch("http://a.test/2");
  rig.agent().delay(10s);
  EXPECT_EQ(rig.agent().delay(), 10s);
  rig.fetch("http://a.test/3");
  rig.fetch("http://a.test/4");
  EXPECT_EQ(rig.gaps(), (std::vector{60'000ms, 10'000ms, 10'000ms}));
}

TEST(LwpContract, VisitsAndWaitsAreThoseOfANameHoweverItIsSpelled) {
  RobotRig rig(delayed(1min));
  rig.site("http://xn--bcher-kva.test", "");
  rig.fetch("http://b\u00FCcher.test/");
  for (const char* site : {"http://xn--bcher-kva.test/", "xn--bcher-kva.test", "http://b\u00FCcher.test/",
                           "b\u00FCcher.test", "B\u00DCCHER.test:80"}) {
    EXPECT_EQ(rig.agent().visits(site).value().count, 1U) << site;
    EXPECT_EQ(rig.agent().host_wait(site).value(), 1min) << site;
  }
  EXPECT_EQ(rig.agent().visits("b\u00FCcher.test:81").value().count, 0U);
  EXPECT_EQ(rig.agent().visits("b\u00FC cher.test").error().code, rig.agent().visits("b cher.test").error().code);
}

TEST(LwpContract, WithoutSleepTooEarlyIs503WithRetryAfter) {
  RobotUAOptions options = delayed(1min);
  options.use_sleep = false;
  RobotRig rig(options);
  rig.site(a, "");
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
  rig.loop->advance(10s);
  const Response early = rig.fetch("http://a.test/2");
  EXPECT_EQ(early.status_line(), "503 Please, slow down");
  EXPECT_EQ(early.source, ResponseSource::too_early);
  EXPECT_EQ(early.headers.get("Retry-After"), "50");
  EXPECT_EQ(early.try_again_at, rig.clock->now() + 50s);
  EXPECT_EQ(rig.since_start(), 10'000ms);
  rig.loop->advance(50s);
  EXPECT_EQ(rig.fetch("http://a.test/2").code, 200);
  rig.agent().use_sleep(true);
  EXPECT_TRUE(rig.agent().use_sleep());
  EXPECT_EQ(rig.fetch("http://a.test/3").code, 200);
  EXPECT_EQ(rig.since_start(), 120'000ms);
}

TEST(LwpContract, WithoutSleepAPenaltyIsNotWaitedForEvenBeforeRobotsTxt) {
  RobotUAOptions options = undelayed();
  options.use_sleep = false;
  RobotRig rig(options);
  ASSERT_TRUE(rig.store->restore_gate(a, rig.clock->now() + 1h, {}));
  const Response early = rig.fetch("http://a.test/1");
  EXPECT_EQ(early.source, ResponseSource::too_early);
  EXPECT_EQ(early.headers.get("Retry-After"), "3600");
  EXPECT_TRUE(rig.transport->log().empty());
  EXPECT_EQ(rig.since_start(), 0ms);
}

TEST(LwpContract, VisitsCountPagesAlone) {
  RobotRig rig(delayed(1s));
  rig.site(a, "");
  EXPECT_EQ(rig.agent().visits("a.test:80").value().count, 0U);
  rig.fetch("http://a.test/1");
  rig.fetch("http://a.test/2");
  rig.fetch("https://a.test/2");
  EXPECT_EQ(rig.agent().visits("http://a.test/").value().count, 2U);
  EXPECT_EQ(rig.agent().visits("a.test").value().count, 3U);
}

TEST(LwpContract, VisitsAndHostWaitReadASiteAlike) {
  RobotRig rig(delayed(10s));
  rig.fetch("http://xn--mnchen-3ya.test/1");
  for (const char* site :
       {"http://m\u00fcnchen.test/x", "m\u00fcnchen.test:80", "m\u00fcnchen.test", "xn--mnchen-3ya.test"}) {
    EXPECT_EQ(rig.agent().visits(site).value().count, 1U) << site;
    EXPECT_EQ(rig.agent().host_wait(site).value(), 10s) << site;
  }
  for (const char* no_site : {"a.test/x", "m\u00fcnchen.test/x", "a.test?x", "user@a.test", "", "http://"}) {
    EXPECT_EQ(rig.agent().visits(no_site).error().code, "invalid-url") << no_site;
    EXPECT_EQ(rig.agent().host_wait(no_site).error().code, "invalid-url") << no_site;
    EXPECT_EQ(rig.agent().host_wait(no_site).error().message, rig.agent().visits(no_site).error().message);
  }
}

TEST(LwpContract, HostWaitAnswersTheLongest) {
  RobotUAOptions options = delayed(10s);
  options.pace.by_host = true;
  RobotRig rig(options);
  EXPECT_EQ(rig.agent().host_wait("a.test").value(), 0s);
  rig.fetch("http://a.test:8080/");
  EXPECT_EQ(rig.agent().host_wait("http://a.test:8080/").value(), 10s);
  EXPECT_EQ(rig.agent().host_wait("a.test:80").value(), 10s);  // one key for the host
  EXPECT_EQ(rig.agent().host_wait("b.test").value(), 0s);
  ASSERT_TRUE(rig.store->restore_gate("http://b.test", rig.clock->now() + 1500ms, {}));
  EXPECT_EQ(rig.agent().host_wait("b.test").value(), 1500ms);
  EXPECT_EQ(rig.agent().host_wait("http://").error().code, "invalid-url");
}

TEST(LwpContract, ADisallowedUrlIs403ForbiddenByRobotsTxt) {
  RobotRig rig;
  rig.site(a, "User-agent: *\nDisallow: /x\n");
  const Response denied = rig.fetch("http://a.test/x");
  EXPECT_EQ(denied.status_line(), "403 Forbidden by robots.txt");
  EXPECT_EQ(denied.source, ResponseSource::robots_denied);
  ASSERT_NE(denied.robots, nullptr);
  EXPECT_EQ(denied.robots->verdict.line(), 2U);
  EXPECT_EQ(rig.fetch("http://a.test/y").body, "page");
  EXPECT_EQ(rig.robots(a), 1U);
  EXPECT_EQ(rig.pages().size(), 1U);
}

TEST(LwpContract, RobotsTxtIsNotAskedForTwiceWhileFresh) {
  RobotRig rig;
  rig.site(a, "", "max-age=3600");
  for (int i = 0; i < 100; ++i) rig.fetch("http://a.test/" + std::to_string(i));
  rig.loop->advance(3599s);
  rig.fetch("http://a.test/a");
  EXPECT_EQ(rig.robots(a), 1U);
  rig.loop->advance(2s);
  rig.fetch("http://a.test/b");
  EXPECT_EQ(rig.robots(a), 2U);
}

TEST(LwpContract, RobotsTxtItselfMayAlwaysBeFetched) {
  RobotRig rig;
  rig.site(a, "User-agent: *\nDisallow: /\n");
  EXPECT_EQ(rig.fetch("http://a.test/robots.txt").body, "User-agent: *\nDisallow: /\n");
  EXPECT_EQ(rig.consult("http://a.test/robots.txt").access, Access::allowed);
  EXPECT_EQ(rig.consult("http://a.test/").access, Access::disallowed);
}

TEST(LwpContract, ConsultAnswersAndFetchesNoPage) {
  RobotRig rig(delayed(1min));
  rig.site(a, "User-agent: *\nDisallow: /x\n");
  EXPECT_EQ(rig.consult("http://a.test/x").access, Access::disallowed);
  const auto allowed = rig.consult("http://a.test/y");
  EXPECT_EQ(allowed.access, Access::allowed);
  ASSERT_NE(allowed.note, nullptr);
  EXPECT_TRUE(allowed.note->verdict.allowed());
  EXPECT_EQ(rig.consult("no URL").access, Access::unknown);
  EXPECT_TRUE(rig.pages().empty());
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
  EXPECT_EQ(rig.since_start(), 0ms);  // a question is no visit
}

TEST(LwpContract, AsStringTellsTheSettings) {
  RobotUAOptions options = delayed(90s);
  options.use_sleep = false;
  RobotRig rig(options);
  const std::string text = rig.agent().as_string();
  for (const char* part : {"my-robot/0.1", "me@example.org", "90.0", "Will not sleep", "rfc9309"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

// Calls that wait are made on a thread of their own.
TEST(LwpContract, EveryVerbIsCheckedAndPaced) {
  RobotRig rig(delayed(1s));
  rig.site(a, "User-agent: *\nDisallow: /x\n");
  std::vector<Response> denied;
  std::vector<Response> fetched;
  std::atomic<bool> over{false};
  std::thread caller([&] {
    RobotUA& ua = rig.agent();
    for (std::vector<Response>* to : {&denied, &fetched}) {
      const std::string url = to == &denied ? "http://a.test/x" : "http://a.test/y";
      to->push_back(ua.get(url));
      to->push_back(ua.head(url));
      to->push_back(ua.post(url, FormFields{{"a", "b"}}));
      to->push_back(ua.post(url, "body"));
      to->push_back(ua.put(url, "body"));
      to->push_back(ua.patch(url, "body"));
      to->push_back(ua.delete_(url));
      to->push_back(ua.request(request_to(url, "OPTIONS")));
      to->push_back(ua.simple_request(request_to(url)));
    }
    if (ua.allowed("http://a.test/x") != Access::disallowed) denied.clear();
    over = true;
    rig.loop->post([] {});
  });
  rig.loop->serve([&] { return over.load(); });
  caller.join();
  EXPECT_EQ(denied.size(), 9U);
  for (const Response& response : denied) EXPECT_EQ(response.source, ResponseSource::robots_denied) << response.method;
  for (const Response& response : fetched) EXPECT_EQ(response.code, 200) << response.method << response.warning;
  EXPECT_EQ(rig.pages().size(), 9U);
  EXPECT_EQ(rig.gaps(), std::vector(8, 1'000ms));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
