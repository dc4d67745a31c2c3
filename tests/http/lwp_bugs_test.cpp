// The bugs of LWP::RobotUA 6.84, each a test by the number it has in the project's list: none of them is here.
#include <gtest/gtest.h>

#include <robotrules/page.hpp>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";
const std::string no_x = "User-agent: *\nDisallow: /x\n";

TEST(LwpBug, No01AFileThatIsStaleOnArrivalIsObeyed) {
  for (const Headers& stale :
       {Headers{{"Expires", "Thu, 01 Jan 1981 00:00:00 GMT"}}, Headers{{"Cache-Control", "max-age=0"}, {"Age", "5"}},
        Headers{{"Cache-Control", "max-age=60"}, {"Age", "61"}}, Headers{{"Cache-Control", "no-store"}},
        Headers{{"Expires", "0"}}}) {
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt", {.headers = stale, .body = no_x});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied);
    EXPECT_TRUE(rig.pages().empty());
    EXPECT_EQ(rig.robots(a), 1U);
  }
}

TEST(LwpBug, No02AFailureIsNoPermissionAndReplacesNoGoodRules) {
  for (const WireReply& failed :
       {WireReply{.status = 429}, WireReply{.status = 500}, WireReply{.status = 503}, failure(TransferError::connect),
        failure(TransferError::resolve), failure(TransferError::tls), failure(TransferError::timeout),
        WireReply{.body = "User-agent: *\nDis", .error = TransferError::cut}}) {
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt", failed);
    EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_unreachable);
    EXPECT_TRUE(rig.pages().empty());

    RobotRig had;
    had.transport->on("http://a.test/robots.txt",
                      {{.headers = {{"Cache-Control", "max-age=600"}}, .body = no_x}, failed});
    EXPECT_EQ(had.fetch("http://a.test/y").code, 200);
    had.loop->advance(11min);
    EXPECT_EQ(had.fetch("http://a.test/x").source, ResponseSource::robots_denied);
    EXPECT_EQ(had.robots(a), 2U);
    EXPECT_EQ(had.fetch("http://a.test/y").code, 200);
  }
}

TEST(LwpBug, No02401And403AllowOnlyWhereThePolicySaysSo) {
  for (const int status : {401, 403}) {
    RobotUAOptions options = undelayed();
    options.policy = RobotsPolicy::strict();
    RobotRig strict(options);
    strict.transport->on("http://a.test/robots.txt", {.status = status});
    EXPECT_EQ(strict.fetch("http://a.test/y").source, ResponseSource::robots_denied);
    RobotRig rfc;
    rfc.transport->on("http://a.test/robots.txt", {.status = status});
    EXPECT_EQ(rfc.fetch("http://a.test/y").code, 200);
  }
}

TEST(LwpBug, No03NeitherTheContentTypeNorAMissingDisallowLineMatters) {
  for (const char* type : {"", "application/octet-stream", "image/png", "application/json"}) {
    RobotRig rig;
    WireReply reply{.body = no_x};
    if (*type != '\0') reply.headers.add("Content-Type", type);
    rig.transport->on("http://a.test/robots.txt", reply);
    EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied) << type;
  }
  RobotRig rig;
  rig.site(a, "User-agent: *\nCrawl-delay: 7\nAllow: /\nSitemap: http://a.test/map.xml\n");
  rig.fetch("http://a.test/1");
  rig.fetch("http://a.test/2");
  EXPECT_EQ(rig.gaps(), std::vector{7'000ms});
}

TEST(LwpBug, No04AgentAndRulesReachTheRulesAndAsString) {
  RobotRig rig;
  rig.site(a, "User-agent: other-robot\nDisallow: /x\n\nUser-agent: *\nDisallow:\n");
  EXPECT_EQ(rig.fetch("http://a.test/x").code, 200);
  ASSERT_TRUE(rig.agent().agent("other-robot/2.0"));
  EXPECT_EQ(rig.agent().agent(), "other-robot/2.0");
  EXPECT_EQ(rig.rules->agent(), "other-robot");
  EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.robots(a), 2U);  // what another robot knew is not this one's
  EXPECT_EQ(rig.transport->log().back().headers.get("User-Agent"), "other-robot/2.0");

  const auto others = std::make_shared<RobotRules>("somebody-else");
  ASSERT_TRUE(rig.agent().rules(others));
  EXPECT_EQ(rig.agent().rules(), others);
  EXPECT_EQ(others->agent(), "other-robot");
  const std::string text = rig.agent().as_string();
  EXPECT_NE(text.find("other-robot/2.0 operated by me@example.org"), std::string::npos) << text;
}

TEST(LwpBug, No05WithoutSleepTheFirstPageIsFetched) {
  RobotUAOptions options = delayed(1min);
  options.use_sleep = false;
  RobotRig rig(options);
  rig.site(a, no_x);
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
  EXPECT_EQ(rig.fetch("http://a.test/z").source, ResponseSource::too_early);

  rig.transport->on("http://b.test/robots.txt", {.status = 301, .headers = {{"Location", "/other.txt"}}});
  rig.transport->on("http://b.test/other.txt", {.body = no_x});
  EXPECT_EQ(rig.fetch("http://b.test/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("http://b.test/y").code, 200);
}

TEST(LwpBug, No06ARedirectOfRobotsTxtToAnotherHostCostsOneRequestAndNoDelay) {
  RobotRig rig(delayed(1min));
  rig.transport->on("http://a.test/robots.txt", {.status = 302, .headers = {{"Location", "http://b.test/robots.txt"}}});
  rig.site("http://b.test", no_x);
  EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("http://b.test/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("http://b.test/y").code, 200);
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
  EXPECT_EQ(rig.robots("http://b.test"), 1U);
  EXPECT_EQ(rig.since_start(), 0ms);
}

TEST(LwpBug, No07UserinfoOfThePageStaysOutOfRobotsTxt) {
  RobotRig rig;
  rig.site(a, no_x);
  EXPECT_EQ(
      rig.fetch(request_to("http://me:secret@a.test/y", "GET", {{"Cookie", "c=1"}, {"Authorization", "Basic eA=="}}))
          .code,
      200);
  const WireRequest robots = rig.transport->log("http://a.test/robots.txt").at(0);
  EXPECT_FALSE(robots.headers.has("Authorization"));
  EXPECT_FALSE(robots.headers.has("Cookie"));
  EXPECT_EQ(robots.headers.get("From"), "me@example.org");
  for (const HeaderField& field : robots.headers) EXPECT_EQ(field.value.find("secret"), std::string::npos);
}

TEST(LwpBug, No08RetryAfterIsObeyed) {
  RobotRig rig;
  rig.site(a, "");
  rig.transport->on("http://a.test/1", {.status = 503, .headers = {{"Retry-After", "120"}}});
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 503);
  EXPECT_EQ(rig.fetch("http://a.test/2").code, 200);
  EXPECT_EQ(rig.gaps(), std::vector{120'000ms});
}

TEST(LwpBug, No09HostWaitHasFractions) {
  RobotRig rig(delayed(900ms));
  rig.site(a, "");
  rig.fetch("http://a.test/1");
  EXPECT_EQ(rig.agent().host_wait("a.test:80").value(), 900ms);
  rig.loop->advance(1ms);
  EXPECT_EQ(rig.agent().host_wait("a.test:80").value(), 899ms);
}

TEST(LwpBug, No10SchemeAndPortArePartOfTheKey) {
  RobotRig rig(delayed(1min));
  rig.site("http://a.test", "User-agent: *\nDisallow: /x\n");
  rig.site("https://a.test", "User-agent: *\nDisallow: /y\n");
  rig.site("http://a.test:443", "User-agent: *\nDisallow: /z\n");
  EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
  EXPECT_EQ(rig.fetch("https://a.test/y").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("https://a.test:443/x").code, 200);
  EXPECT_EQ(rig.fetch("http://a.test:443/z").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("http://a.test:443/x").code, 200);
  EXPECT_EQ(rig.since_start(), 0ms);
}

TEST(LwpBug, No11SyntheticAnswersSayWhoMadeThemAndRunHandlers) {
  RobotUAOptions options = delayed(1min);
  options.use_sleep = false;
  RobotRig rig(options);
  rig.site(a, no_x);
  rig.transport->on("http://b.test/robots.txt", {.status = 500});
  rig.transport->on("http://c.test/robots.txt", {.body = ""});
  rig.transport->on("http://c.test/", failure(TransferError::address));
  std::vector<ResponseSource> seen;
  rig.agent().add_handler(Phase::response_done, [&](HandlerCall& call) {
    seen.push_back(call.response->source);
    return HandlerAnswer{};
  });
  for (const char* url :
       {"http://a.test/x", "http://a.test/y", "http://a.test/y", "http://b.test/", "http://c.test/"}) {
    const Response response = rig.fetch(url);
    EXPECT_EQ(response.is_synthetic(), response.code != 200) << url;
    EXPECT_EQ(response.headers.get("Client-Warning").has_value(), response.is_synthetic()) << url;
  }
  EXPECT_EQ(seen, (std::vector{ResponseSource::robots_denied, ResponseSource::server, ResponseSource::too_early,
                               ResponseSource::robots_unreachable, ResponseSource::address_refused}));
}

TEST(LwpBug, No12ARobotsFetchThatFailsInAnOddWayOpensNothing) {
  for (const char* odd : {"data:text/plain,x", "mailto:me@a.test", "javascript:1", "file:///etc/passwd",
                          "ftp://a.test/r", "http://[::1", "gopher://a.test/", "http://a.test:99999/", ""}) {
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt", {.status = 302, .headers = {{"Location", odd}}});
    const Response response = rig.fetch("http://a.test/y");
    EXPECT_EQ(response.source, ResponseSource::robots_unreachable) << odd;
    ASSERT_TRUE(response.try_again_at) << odd;
    EXPECT_LE(*response.try_again_at - rig.clock->now(), 1h) << odd;
    EXPECT_EQ(rig.transport->log().size(), 1U) << odd;
    rig.site(a, "");
    rig.loop->advance(67s);
    EXPECT_EQ(rig.fetch("http://a.test/y").code, 200) << odd;
  }
}

TEST(LwpBug, No13ARobotsFetchChangesNothingForPages) {
  RobotRig rig;
  rig.site(a, "");
  rig.transport->on("http://a.test/y", {.headers = {{"Content-Type", "text/html"}},
                                        .body = "<html><head><meta name=robots content=noindex></head></html>"});
  int heads = 0;
  rig.agent().add_handler(Phase::response_header, [&](HandlerCall&) {
    ++heads;
    return HandlerAnswer{};
  });
  for (int i = 1; i <= 2; ++i) {
    const Response page = rig.fetch("http://a.test/y");
    EXPECT_TRUE(read_robots_meta(page.body, "my-robot").noindex);
    EXPECT_EQ(heads, i);  // of pages alone
  }
}

TEST(LwpBug, No14WhatIsLongUnusedIsForgotten) {
  const auto clock = std::make_shared<ManualClock>();
  constexpr std::size_t limit = 256 * 1024;
  const auto store = make_memory_store({.clock = [clock] { return clock->now(); }, .limit_bytes = limit});
  RobotUAOptions options = undelayed();
  options.max_sites_in_memory = 10;
  RobotRig rig(clock, store, options);
  rig.transport->on("*/robots.txt", {.body = "User-agent: *\nDisallow: /x\n"});
  for (int i = 0; i < 3'000; ++i) {
    const std::string site = "http://h" + std::to_string(i) + ".test";
    ASSERT_EQ(rig.fetch(site + "/x").source, ResponseSource::robots_denied);
    ASSERT_EQ(rig.fetch(site + "/y").code, 200);
  }
  EXPECT_LE(store->stats().value().stored_bytes, limit);
  EXPECT_LT(store->stats().value().origins, 3'000U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
