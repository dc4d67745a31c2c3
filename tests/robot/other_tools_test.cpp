// What other tools get wrong, a test each: Scrapy, Heritrix, Nutch, StormCrawler, BUbiNG, the gem robotstxt-parser.
#include <gtest/gtest.h>

#include "support/agent/loopback.hpp"
#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";

TEST(OtherTools, AFailureDoesNotMeanAllow) {
  for (const TransferError error : {TransferError::resolve, TransferError::connect, TransferError::tls,
                                    TransferError::timeout, TransferError::protocol, TransferError::cut}) {
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt", failure(error));
    EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_unreachable);
  }
  for (const int status : {500, 502, 503, 504, 599, 600, 999}) {  // nor is a page of errors read as rules
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt", {.status = status, .body = "User-agent: *\nAllow: /\n"});
    EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_unreachable) << status;
  }
}

TEST(OtherTools, NothingIsCachedForEver) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt",
                    {{.headers = {{"Cache-Control", "max-age=99999999, immutable"}}, .body = ""}, {.body = no_x}});
  EXPECT_EQ(rig.fetch("http://a.test/x").code, 200);
  rig.loop->advance(24h + 1us);
  EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied);
}

TEST(OtherTools, AFailureIsNotCachedForEver) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {failure(TransferError::resolve), {.body = no_x}});
  EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_unreachable);
  rig.loop->advance(67s);
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
}

TEST(OtherTools, PortAndSchemeBelongToTheKey) {
  RobotRig rig;
  rig.site("http://a.test:8080", "User-agent: *\nDisallow: /\n");
  rig.site("https://a.test", no_x);
  rig.site(a, "");
  EXPECT_EQ(rig.fetch("http://a.test/x").code, 200);
  EXPECT_EQ(rig.fetch("https://a.test/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("http://a.test:8080/").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("HTTP://A.TEST.:80/x").code, 200);  // one origin, however it is written
  EXPECT_EQ(rig.robots(a), 1U);
}

TEST(OtherTools, RobotsTxtIsFollowedWhereItRedirects) {
  for (const int status : {301, 302, 303, 307, 308}) {
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt", {.status = status, .headers = {{"Location", "moved/robots.txt"}}});
    rig.transport->on("http://a.test/moved/robots.txt", {.status = status, .headers = {{"Location", "//b.test/r"}}});
    rig.transport->on("http://b.test/r", {.body = no_x});
    EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied) << status;
    EXPECT_EQ(rig.fetch("http://a.test/y").code, 200) << status;
  }
}

TEST(OtherTools, ARedirectToAnotherPathDoesNotPoisonTheTargetsRules) {
  for (const char* path : {"/foo/robots.txt", "/robots.txt?a", "/robots.txt/"}) {
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt",
                      {.status = 301, .headers = {{"Location", "http://b.test" + std::string(path)}}});
    rig.transport->on("http://b.test" + std::string(path), {.body = "User-agent: *\nDisallow: /\n"});
    rig.site("http://b.test", no_x);
    EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_denied) << path;
    EXPECT_EQ(rig.fetch("http://b.test/y").code, 200) << path;
    EXPECT_EQ(rig.fetch("http://b.test/x").source, ResponseSource::robots_denied) << path;
  }
}

TEST(OtherTools, APageRedirectIntoADisallowedPathIsCheckedAgain) {
  RobotRig rig;
  rig.site(a, no_x);
  rig.site("http://b.test", no_x);
  rig.transport->on("http://a.test/1", {.status = 302, .headers = {{"Location", "/x"}}});
  rig.transport->on("http://a.test/2", {.status = 302, .headers = {{"Location", "http://b.test/x"}}});
  for (const char* url : {"http://a.test/1", "http://a.test/2"}) {
    const Response denied = rig.fetch(url);
    EXPECT_EQ(denied.source, ResponseSource::robots_denied);
    ASSERT_NE(denied.previous, nullptr);
    EXPECT_EQ(denied.previous->code, 302);
  }
  EXPECT_EQ(rig.pages().size(), 2U);
}

TEST(OtherTools, ManyRequestsAtOnceFetchRobotsTxtOnce) {
  RobotRig rig;
  rig.transport->on("*/robots.txt", {.body = no_x, .latency = 3s});
  for (int i = 0; i < 100; ++i) {
    for (int host = 0; host < 10; ++host) rig.start("http://h" + std::to_string(host) + ".test/x");
  }
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 1'000; }));
  EXPECT_EQ(rig.transport->log().size(), 10U);
}

TEST(OtherTools, ASlowHostBlocksNoOther) {
  RobotRig rig;
  rig.transport->on("http://slow.test/robots.txt", {.latency = 19s});
  for (int i = 0; i < 100; ++i) rig.start("http://slow.test/" + std::to_string(i));
  EXPECT_EQ(rig.fetch("http://quick.test/").code, 200);
  EXPECT_EQ(rig.since_start(), 0s);
}

// Nor is it cut in silence.
TEST(OtherTools, ACrawlDelayOfADayIsObeyedAndSkipsNoPage) {
  RobotUAOptions options = undelayed();
  options.max_wait = 24h;
  RobotRig rig(options);
  rig.site(a, "User-agent: *\nCrawl-delay: 86400\n");
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
  EXPECT_EQ(rig.fetch("http://a.test/2").code, 200);
  EXPECT_EQ(rig.gaps(), std::vector{86'400'000ms});
}

TEST(OtherTools, TheDelayIsHeldPerSiteAndNotPerProcess) {
  RobotRig one(delayed(10s));
  RobotRig two(one, delayed(10s));
  one.site(a, "");
  for (int i = 0; i < 3; ++i) {
    one.start("http://a.test/" + std::to_string(i));
    two.start("http://a.test/" + std::to_string(i));
    one.start("http://h" + std::to_string(i) + ".test/");
  }
  ASSERT_TRUE(one.loop->until([&] { return one.answered() + two.answered() == 9; }));
  EXPECT_EQ(one.gaps(a), std::vector(5, 10'000ms));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(one.pages("http://h" + std::to_string(i) + ".test").at(0).since, 0s);
}

TEST(OtherTools, RetryAfter0DoesNotCancelTheBackOff) {
  RobotRig rig;
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {{.status = 503}, {.status = 503, .headers = {{"Retry-After", "0"}}}, {}});
  for (int i = 0; i < 3; ++i) rig.fetch("http://a.test/1");
  EXPECT_EQ(rig.gaps(), (std::vector{5'000ms, 60'000ms}));
}

// The rest is about connections: on sockets.
TEST(OtherTools, CertificatesAreVerifiedUnlessOneSaysOtherwise) {
  Loopback site(true);
  site.robots_txt(reply("User-agent: *\nAllow: /\n"));
  auto doubtful = RobotUA::make("my-robot/0.1", "me@example.org", site.robot_options);
  const Response refused = doubtful.value().get(site.url("/y"));
  EXPECT_EQ(refused.source, ResponseSource::robots_unreachable) << refused.warning;
  EXPECT_EQ(site.count(), 0U);
  EXPECT_EQ(site.get("/y").body, "page y");  // trusts the server's CA
}

TEST(OtherTools, AddressesThatAreNobodysAreNotConnectedToHoweverOneGetsThere) {
  Loopback site;
  ScriptedServer& server = site.server;
  const std::uint16_t canary = server.open({.address = "127.0.0.2", .manner = Manner::silent});
  const std::string at = ":" + std::to_string(canary) + "/";
  int asked = 0;
  site.options.connection.guard = AddressGuard();
  ASSERT_TRUE(site.options.connection.guard.allow("127.0.0.1"));
  site.options.connection.resolve = [&asked](std::string_view host, std::uint16_t) -> std::vector<std::string> {
    // First a good address, then, at the next look, another.
    if (host == "rebinding.test") return {asked++ == 0 ? "127.0.0.1" : "127.0.0.2"};
    if (host == "inside.test") return {"127.0.0.2"};
    return {"127.0.0.1"};
  };
  RobotUA ua = site.new_robot();
  site.robots_txt(reply(""));
  std::size_t number = 0;
  for (const std::string& target :
       {"http://127.0.0.2" + at, "http://[::ffff:127.0.0.2]" + at, "http://[::ffff:7f00:2]" + at,
        "http://2130706434" + at, "http://0x7f.0.0.2" + at, "http://127.2" + at, "http://0177.0.0.2" + at,
        "http://inside.test" + at, std::string("http://169.254.169.254/latest/meta-data/"),
        std::string("http://[64:ff9b::a9fe:a9fe]/"), std::string("http://[2002:7f00:2::]/")}) {
    const std::string path = "/" + std::to_string(++number);
    server.on("", path, redirect(302, target));
    const Response page = ua.get(site.url(path));
    // robots.txt of the target could not be had, as its address is refused.
    EXPECT_TRUE(page.source == ResponseSource::robots_unreachable || page.source == ResponseSource::redirect_refused)
        << target << ' ' << to_string(page.source);
    EXPECT_NE(ua.allowed(target + "map.xml"), Access::allowed) << target;  // as a Sitemap: line would lead there
  }
  const std::string rebinding = site.url("", "rebinding.test");
  EXPECT_EQ(ua.allowed(rebinding + "/y"), Access::allowed);
  server.on("rebinding.test", "/y", reply("page"));
  server.drop_connections();
  const Response page = ua.get(rebinding + "/y");
  EXPECT_NE(page.source, ResponseSource::robots_denied);
  EXPECT_EQ(server.witness().connections_to(canary), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
