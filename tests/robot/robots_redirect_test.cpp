// Where a robots.txt leads elsewhere: whose rules they are, how far it is followed, and what each hop must pass.
// RFC 9309 section 2.3.1.2.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

std::string at(const SeenRequest& request, std::string_view host, std::string_view path) {
  return url_of(request.ends.local_port, path, host, request.ends.tls ? "https" : "http");
}
Handler leads_to(std::string host, std::string path, int code = 302) {
  return [=](const SeenRequest& request) { return redirect(code, at(request, host, path)); };
}

TEST(RobotsRedirect, RulesHoldForTheFirstOrigin) {
  Loopback site;
  site.robots_txt(leads_to("b.test", "/robots.txt"), "a.test");
  site.robots_txt(reply(no_x), "b.test");
  EXPECT_EQ(site.get("/x", "a.test").source, ResponseSource::robots_denied);
  EXPECT_EQ(site.get("/y", "a.test").code, 200);
  const auto record = site.record("a.test");
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->url, site.url("/robots.txt", "b.test"));
  EXPECT_EQ(record->hops, std::vector<std::string>{site.url("/robots.txt", "a.test")});
}

TEST(RobotsRedirect, ToTheTargetsOwnRobotsTxtSparesItsFetch) {
  Loopback site;
  site.robots_txt(leads_to("b.test", "/robots.txt"), "a.test");
  site.robots_txt(reply(no_x), "b.test");
  static_cast<void>(site.get("/y", "a.test"));
  ASSERT_NE(site.record("b.test"), nullptr);
  EXPECT_TRUE(site.record("b.test")->hops.empty());
  EXPECT_EQ(site.get("/x", "b.test").source, ResponseSource::robots_denied);
  EXPECT_EQ(site.times("/robots.txt", "b.test"), 1U);
}

// It is requested as /robots.txt.
TEST(RobotsRedirect, ToAnotherSpellingOfTheTargetsRobotsTxtIsToThatFile) {
  Loopback site;
  site.robots_txt(leads_to("b.test", "/robots%2Etxt"), "a.test");
  site.robots_txt(reply(no_x), "b.test");
  static_cast<void>(site.get("/y", "a.test"));
  ASSERT_NE(site.record("b.test"), nullptr);
  EXPECT_EQ(site.get("/x", "b.test").source, ResponseSource::robots_denied);
  EXPECT_EQ(site.times("/robots.txt", "b.test"), 1U);
}

struct OtherPath {
  std::string name;
  std::string path;
};

class RobotsRedirectElsewhere : public testing::TestWithParam<OtherPath> {};

// Whoever can write a file on a site must not be able to make its rules.
TEST_P(RobotsRedirectElsewhere, IsNotTheTargetsRobotsTxt) {
  Loopback site;
  site.robots_txt(leads_to("b.test", GetParam().path), "a.test");
  site.server.on("b.test", GetParam().path, reply(no_x));
  if (GetParam().path.starts_with("/robots.txt?")) {
    site.server.on("b.test", "/robots.txt", reply("User-agent: *\nDisallow: /y\n"));
  } else {
    site.robots_txt(reply("User-agent: *\nDisallow: /y\n"), "b.test");
  }
  EXPECT_EQ(site.get("/x", "a.test").source, ResponseSource::robots_denied);
  EXPECT_EQ(site.record("b.test"), nullptr);
  EXPECT_EQ(site.get("/x", "b.test").code, 200);
  EXPECT_EQ(site.get("/y", "b.test").source, ResponseSource::robots_denied);
}

INSTANTIATE_TEST_SUITE_P(To, RobotsRedirectElsewhere,
                         testing::Values(OtherPath{"a_folder", "/foo/robots.txt"},
                                         OtherPath{"another_name", "/robots.txt.bak"},
                                         OtherPath{"a_query", "/robots.txt?of=a"}, OtherPath{"the_root", "/"},
                                         OtherPath{"upper_case", "/ROBOTS.TXT"},
                                         OtherPath{"two_slashes", "//robots.txt"},
                                         OtherPath{"an_escape", "/robots.txt%2F"}),
                         [](const auto& path) { return path.param.name; });

TEST(RobotsRedirect, AFailureAtTheTargetIsNotKeptForIt) {
  for (const int code : {404, 500}) {
    Loopback site;
    site.robots_txt(leads_to("b.test", "/robots.txt"), "a.test");
    site.robots_txt(in_turn({Handler(status(code)), Handler(reply(no_x))}), "b.test");
    static_cast<void>(site.get("/y", "a.test"));
    EXPECT_EQ(site.record("b.test"), nullptr) << code;
    site.clock->advance(2h);
    EXPECT_EQ(site.get("/x", "b.test").source, ResponseSource::robots_denied) << code;
  }
}

TEST(RobotsRedirect, AnIntermediateHostGetsNoRules) {
  Loopback site;
  site.robots_txt(leads_to("b.test", "/robots.txt"), "a.test");
  site.robots_txt(leads_to("c.test", "/robots.txt"), "b.test");
  site.robots_txt(reply(no_x), "c.test");
  EXPECT_EQ(site.get("/x", "a.test").source, ResponseSource::robots_denied);
  EXPECT_EQ(site.record("b.test"), nullptr);
  ASSERT_NE(site.record("c.test"), nullptr);
  EXPECT_EQ(site.record("a.test")->hops.size(), 2U);
}

TEST(RobotsRedirect, FiveHopsAreFollowedAndNoSixth) {
  for (const auto& [hops, asked] : {std::pair{5, 6U}, std::pair{6, 6U}, std::pair{50, 6U}}) {
    Loopback site;
    site.robots_txt(redirect(302, "/hop/" + std::to_string(hops - 1)));
    site.server.on("", "/hop/*", [](const SeenRequest& request) -> Answer {
      const int left = std::stoi(request.path().substr(5));
      return left == 0 ? reply(no_x) : redirect(302, "/hop/" + std::to_string(left - 1));
    });
    const bool followed = hops == 5;
    EXPECT_EQ(site.get("/x").code, followed ? 403 : 200) << hops;
    EXPECT_EQ(site.record()->outcome, followed ? RobotsOutcome::rules : RobotsOutcome::unavailable);
    EXPECT_EQ(site.server.witness().request_count() - site.times("/x"), asked) << hops;
  }
}

TEST(RobotsRedirect, ThePolicyCountsTheHops) {
  for (const unsigned most : {0U, 1U, 2U, 7U}) {
    Loopback site;
    site.policy().max_redirects = most;
    site.robots_txt(redirect(302, "/one"));
    site.server.on("", "/one", redirect(302, "/two"));
    site.server.on("", "/two", reply(no_x));
    EXPECT_EQ(site.get("/x").code, most >= 2 ? 403 : 200) << most;
    EXPECT_EQ(site.times("/one"), most >= 1 ? 1U : 0U);
    EXPECT_EQ(site.times("/two"), most >= 2 ? 1U : 0U);
  }
}

TEST(RobotsRedirect, FromHttpsToHttpIsRefusedUnlessAllowed) {
  for (const bool allowed : {false, true}) {
    Loopback site(true);
    site.policy().allow_downgrade = allowed;
    const std::uint16_t plain = site.server.listen();
    site.robots_txt([plain](const SeenRequest& request) -> Answer {
      if (!request.ends.tls) return reply(no_x);
      return redirect(301, url_of(plain, "/robots.txt", "a.test"));
    });
    const Response page = site.get("/x");
    EXPECT_EQ(page.source, allowed ? ResponseSource::robots_denied : ResponseSource::robots_unreachable)
        << page.warning;
    EXPECT_EQ(site.server.witness().connections_to(plain), allowed ? 1U : 0U);
    if (!allowed) {
      EXPECT_NE(page.warning.find("from https to http"), std::string::npos) << page.warning;
    }
  }
}

TEST(RobotsRedirect, FromHttpToHttpsIsFollowed) {
  Loopback site;
  const std::uint16_t secure = site.server.listen("127.0.0.1", true);
  site.robots_txt([secure](const SeenRequest& request) -> Answer {
    if (request.ends.tls) return reply(no_x);
    return redirect(301, url_of(secure, "/robots.txt", "a.test", "https"));
  });
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
}

// Each hop passes the gate of where it leads: a host that asked to be left alone is.
TEST(RobotsRedirect, EachHopPassesTheGateOfItsHost) {
  Loopback site;
  site.robots_txt(leads_to("b.test", "/robots.txt"), "a.test");
  site.robots_txt(reply(no_x), "b.test");
  const auto store = site.robot().rules()->store();
  const auto target = Origin::of(site.url("/", "b.test"));
  ASSERT_TRUE(store->restore_gate(gate_key(*target), site.clock->now() + std::chrono::hours(24 * 40), {}));
  const Response page = site.get("/y", "a.test");
  EXPECT_EQ(page.source, ResponseSource::robots_unreachable) << page.warning;
  EXPECT_NE(page.warning.find("left alone"), std::string::npos) << page.warning;
  EXPECT_EQ(site.times("/robots.txt", "a.test"), 1U);
  EXPECT_EQ(site.times("/robots.txt", "b.test"), 0U);
}

TEST(RobotsRedirect, AHopThatSaysRetryAfterHoldsItsOwnHostAlone) {
  Loopback site;
  site.robots_txt(leads_to("b.test", "/robots.txt"), "a.test");
  site.robots_txt(status(503, {{"Retry-After", "3600"}}), "b.test");
  static_cast<void>(site.get("/y", "a.test"));
  EXPECT_EQ(site.robot().host_wait(site.url("/", "b.test")).value(), std::chrono::microseconds(1h));
  EXPECT_EQ(site.robot().host_wait(site.url("/", "a.test")).value(), 0us);
}

TEST(RobotsRedirect, NeitherHopsNorRobotsTxtArmThePagesDelay) {
  Loopback site;
  site.robot_options.pace.delay = 60s;
  site.robot_options.use_sleep = false;
  site.robots_txt(redirect(302, "/robots2.txt"));
  site.server.on("", "/robots2.txt", reply(no_x));
  EXPECT_EQ(site.get("/y").code, 200);
  EXPECT_EQ(site.get("/y").source, ResponseSource::too_early);
}

TEST(RobotsRedirect, TheCopyIsConfirmedAtItsEndAndNotOnTheWay) {
  Loopback site;
  site.robots_txt(leads_to("b.test", "/rules.txt"), "a.test");
  site.server.on("b.test", "/rules.txt", [](const SeenRequest& request) -> Answer {
    if (request.header("If-None-Match")) return status(304);
    Reply answer = reply(no_x);
    answer.headers.push_back({"ETag", "\"1\""});
    return answer;
  });
  static_cast<void>(site.get("/y", "a.test"));
  site.clock->advance(25h);
  EXPECT_EQ(site.get("/x", "a.test").source, ResponseSource::robots_denied);
  const auto first = site.server.witness().requests("/robots.txt");
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[1].header("If-None-Match"), std::nullopt);
  const auto last = site.server.witness().requests("/rules.txt");
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(last[1].header("If-None-Match"), "\"1\"");
  EXPECT_EQ(site.record("a.test")->outcome, RobotsOutcome::rules);
  EXPECT_EQ(site.record("a.test")->fresh_until, site.clock->now() + 24h);
}

// What was asked of one URL says nothing of another: a 304 on the way confirms nothing.
TEST(RobotsRedirect, ATagIsNotSentToAnotherUrl) {
  Loopback site;
  Reply tagged = reply(no_x);
  tagged.headers.push_back({"ETag", "\"1\""});
  site.robots_txt(tagged, "a.test");
  static_cast<void>(site.get("/y", "a.test"));
  site.robots_txt(leads_to("b.test", "/robots.txt"), "a.test");
  site.robots_txt(status(304), "b.test");
  site.clock->advance(25h);
  const Response page = site.get("/y", "a.test");
  EXPECT_TRUE(page.robots->stale);
  EXPECT_EQ(site.record("a.test")->outcome, RobotsOutcome::unreachable);
  const auto asked = site.server.witness().requests("/robots.txt");
  EXPECT_EQ(asked.back().host(), "b.test:" + std::to_string(site.port));
  EXPECT_EQ(asked.back().header("If-None-Match"), std::nullopt);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
