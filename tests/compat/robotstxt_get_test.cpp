// robotstxt-parser's get and get_allowed?: what its README says, and its faults that stay out.
#include <robotrules/compat/robotstxt.hpp>

#include <gtest/gtest.h>

#include <robotrules/robot_ua.hpp>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using robotstxt_parser::Fetch;
using robotstxt_parser::get_allowed;
using robotstxt_parser::GetOptions;

class RobotstxtGet : public LocalAgent {
 protected:
  RobotstxtGet() { get.connection = options.connection; }

  void site(Handler handler) { server.on("a.test", "/robots.txt", std::move(handler)); }
  Access allowed(std::string_view path) { return get_allowed(url(path), "Crawler", get); }

  GetOptions get;
};

TEST_F(RobotstxtGet, ReadsTheFileForTheRobot) {
  site(reply("User-agent: Other\nDisallow: /\n\nUser-agent: Crawler\nDisallow: /x\nSitemap: http://a.test/s.xml\n"));
  const auto robots = robotstxt_parser::get(url("/any/page?of#it"), "Crawler", get);
  ASSERT_TRUE(robots);
  EXPECT_EQ(robots.value().allowed("/x"), Access::disallowed);
  EXPECT_EQ(robots.value().allowed(url("/y")), Access::allowed);
  EXPECT_EQ(robots.value().sitemaps(), std::vector<std::string>{"http://a.test/s.xml"});
  EXPECT_EQ(seen(0).target, "/robots.txt");
  EXPECT_EQ(seen(0).header("User-Agent"), "Crawler");
  EXPECT_EQ(allowed("/x"), Access::disallowed);
}

TEST_F(RobotstxtGet, OfTheSourceSchemeHostAndPortAloneCount) {
  site(reply("User-agent: *\nDisallow: /\n"));
  EXPECT_TRUE(robotstxt_parser::get("http://user:secret@a.test:" + std::to_string(port) + "/p?q", "Crawler", get));
  EXPECT_EQ(seen(0).target, "/robots.txt");
  EXPECT_EQ(seen(0).header("Authorization"), std::nullopt);
}

TEST_F(RobotstxtGet, UnauthorizedAndForbiddenCloseTheSite) {
  for (const int code : {401, 403}) {
    site(status(code));
    EXPECT_EQ(allowed("/"), Access::disallowed) << code;
  }
}

// RFC 9110 section 15.3.7: the rest of the file is not known.
TEST_F(RobotstxtGet, AnUnaskedPartClosesTheSite) {
  Reply part = reply("User-agent: *\nAllow: /\n");
  part.status = 206;
  site(part);
  EXPECT_EQ(allowed("/"), Access::disallowed);
}

TEST_F(RobotstxtGet, EverythingElseOpensIt) {
  for (const int code : {204, 300, 304, 404, 410, 418, 429, 500, 503}) {
    site(status(code));
    EXPECT_EQ(allowed("/"), Access::allowed) << code;
  }
  const std::uint16_t dead = server.refuse();
  EXPECT_EQ(get_allowed(url_of(dead, "/"), "Crawler", get), Access::allowed);
  site(Script().send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\nDisallow: /\n"));  // cut short
  EXPECT_EQ(allowed("/"), Access::allowed);
}

TEST_F(RobotstxtGet, AnAddressThatIsRefusedIsAnErrorAndNoOpenSite) {
  get.connection.guard = AddressGuard();
  EXPECT_EQ(allowed("/"), Access::unknown);
  const auto robots = robotstxt_parser::get(url("/"), "Crawler", get);
  ASSERT_FALSE(robots);
  EXPECT_EQ(robots.error().code, "address-refused");
  EXPECT_NE(robots.error().message.find("127.0.0.1"), std::string::npos) << robots.error().message;
  EXPECT_EQ(server.witness().connection_count(), 0U);
}

TEST_F(RobotstxtGet, SaysHowTheFileCameAbout) {
  const std::uint16_t dead = server.refuse();
  const struct {
    const char* name;
    Handler site;
    Fetch wanted;
    const char* warning;
  } cases[] = {
      {"had", reply("User-agent: *\n"), {.read = true, .status = 200, .url = url("/robots.txt")}, nullptr},
      {"forbidden",
       status(403),
       {.read = false, .status = 403, .url = url("/robots.txt")},
       "answers 403, so everything is disallowed"},
      {"missing",
       status(404),
       {.read = false, .status = 404, .url = url("/robots.txt")},
       "answers 404, so everything is allowed"},
      {"moved", redirect(302, "/moved"), {.read = true, .status = 200, .url = url("/moved")}, nullptr},
      {"nowhere",
       redirect(302, "ftp://a.test/"),
       {.read = false, .status = 302, .url = url("/robots.txt")},
       "cannot be followed"},
      {"down",
       redirect(302, url_of(dead, "/")),
       {.read = false, .status = 0, .url = url_of(dead, "/")},
       "so everything is allowed"},
  };
  server.on("a.test", "/moved", reply("User-agent: *\n"));
  for (const auto& one : cases) {
    site(one.site);
    const auto robots = robotstxt_parser::get(url("/page"), "Crawler", get);
    ASSERT_TRUE(robots) << one.name;
    const Fetch* how = robots.value().fetch();
    ASSERT_NE(how, nullptr);
    EXPECT_EQ(how->read, one.wanted.read) << one.name;
    EXPECT_EQ(how->status, one.wanted.status) << one.name;
    EXPECT_EQ(how->url, one.wanted.url) << one.name;
    EXPECT_EQ(how->warning.empty(), one.warning == nullptr) << how->warning;
    if (one.warning != nullptr) {
      EXPECT_NE(how->warning.find(one.warning), std::string::npos) << how->warning;
    }
  }
  EXPECT_EQ(robotstxt_parser::parse("", "Crawler").fetch(), nullptr);
}

TEST_F(RobotstxtGet, RelativeLocationWorks) {
  site(redirect(302, "other/robots.txt"));
  server.on("a.test", "/other/robots.txt", reply("User-agent: *\nDisallow: /x\n"));
  EXPECT_EQ(allowed("/x"), Access::disallowed);
}

TEST_F(RobotstxtGet, FollowsNumRedirectsAndNoMore) {
  for (int i = 0; i < 5; ++i) {
    server.on("a.test", i == 0 ? "/robots.txt" : "/" + std::to_string(i), redirect(301, "/" + std::to_string(i + 1)));
  }
  server.on("a.test", "/5", reply("User-agent: *\nDisallow: /\n"));
  EXPECT_EQ(allowed("/"), Access::disallowed);
  get.num_redirects = 4;
  EXPECT_EQ(allowed("/"), Access::allowed);
  get.num_redirects = 0;
  server.witness().clear();
  EXPECT_EQ(allowed("/"), Access::allowed);
  EXPECT_EQ(count(), 1U);
}

TEST_F(RobotstxtGet, ALoopEnds) {
  site(redirect(302, "/robots.txt"));
  EXPECT_EQ(allowed("/"), Access::allowed);
  EXPECT_EQ(count(), 1U);
}

TEST_F(RobotstxtGet, HttpTimeoutEndsIt) {
  site(Script().read_to_end());
  get.http_timeout = 200ms;
  EXPECT_EQ(allowed("/"), Access::allowed);
  UserAgent connection = agent();
  EXPECT_EQ(get_allowed(connection, url("/"), "Crawler", get), Access::allowed);
  site(reply("User-agent: *\nDisallow: /\n"));
  get.http_timeout = patience;
  EXPECT_EQ(get_allowed(connection, url("/"), "Crawler", get), Access::disallowed);  // usable afterwards
}

TEST_F(RobotstxtGet, AnOpenConnectionIsUsedAgain) {
  site(reply("User-agent: *\nDisallow: /x\n"));
  UserAgent connection = agent();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(get_allowed(connection, url("/x"), "Crawler", get), Access::disallowed);
  EXPECT_EQ(count(), 3U);
  EXPECT_EQ(server.witness().connection_count(), 1U);
  EXPECT_EQ(seen(2).header("User-Agent"), "Crawler");  // and not the agent's own
}

TEST_F(RobotstxtGet, NothingSecretOfAnOpenConnectionGoesAlong) {
  options.from = "me@example.org";
  options.default_headers = {{"Authorization", "Bearer secret"}, {"Cookie", "x=secret"}, {"X-Secret", "secret"}};
  options.cookies = std::make_shared<CookieJar>();
  options.cookies->add("Set-Cookie: id=secret; domain=a.test; path=/");
  options.credentials = {{"a.test:" + std::to_string(port), "", "user", "secret"}};
  server.on("a.test", "/page", [](const SeenRequest& request) {
    Reply asked = status(401);
    asked.headers.push_back({"WWW-Authenticate", "Basic realm=\"r\""});
    return request.header("Authorization") ? reply("x") : asked;
  });
  site(redirect(302, url("/rules.txt", "b.test")));
  server.on("b.test", "/rules.txt", [](const SeenRequest&) {
    Reply made = redirect(302, "http://a.test/elsewhere");
    made.headers.push_back({"Set-Cookie", "robots=1"});
    return made;
  });
  UserAgent connection = agent();
  connection.add_handler(Phase::request_prepare, [](HandlerCall& call) {
    call.request->headers.set("X-Handler", "secret");
    return HandlerAnswer{};
  });
  UserAgentOptions challenged = options;  // so that it knows whom to tell the password
  challenged.default_headers = {};
  connection.configure(challenged);
  EXPECT_EQ(connection.get(url("/page")).body, "x");
  connection.configure(options);
  get.num_redirects = 1;
  EXPECT_EQ(get_allowed(connection, url("/"), "Crawler", get), Access::allowed);
  for (const char* path : {"/robots.txt", "/rules.txt"}) {
    const auto requests = server.witness().requests(path);
    ASSERT_EQ(requests.size(), 1U) << path;
    EXPECT_EQ(requests[0].head.find("secret"), std::string::npos) << requests[0].head;
    EXPECT_EQ(requests[0].header("Authorization"), std::nullopt);
    EXPECT_EQ(requests[0].header("Cookie"), std::nullopt);
    EXPECT_EQ(requests[0].header("From"), "me@example.org");
    EXPECT_EQ(requests[0].header("User-Agent"), "Crawler");
    EXPECT_TRUE(requests[0].header("Accept"));
  }
  EXPECT_EQ(options.cookies->lines().size(), 1U) << "nor is what comes with it kept";
  EXPECT_EQ(server.witness().connection_count(), 2U) << "one a host";
}

// A robot that lends its connections goes no faster for it.
TEST_F(RobotstxtGet, ThePaceOfARobotHolds) {
  site(reply("User-agent: *\nDisallow: /x\n"));
  server.on("a.test", "/page", reply("x"));
  robot_options.pace.delay = 1min;
  robot_options.use_sleep = false;
  RobotUA robot = new_robot();
  EXPECT_EQ(robot.get(url("/page")).body, "x");
  EXPECT_EQ(count(), 2U);
  EXPECT_EQ(get_allowed(robot, url("/x"), "Crawler", get), Access::allowed) << "too early, and so not known";
  EXPECT_EQ(count(), 2U);
  EXPECT_EQ(robot.get(url("/page")).source, ResponseSource::too_early) << "and is as good as before";
}

TEST_F(RobotstxtGet, WhatIsNoRedirectIsNotFollowed) {
  server.on("a.test", "/closed.txt", reply("User-agent: *\nDisallow: /\n"));
  for (const int code : {300, 304, 305, 306, 399}) {
    site([code](const SeenRequest&) { return redirect(code, "/closed.txt"); });
    EXPECT_EQ(allowed("/"), Access::allowed) << code;
  }
  EXPECT_TRUE(server.witness().requests("/closed.txt").empty());
}

// The letter \u0A05 has a byte that is a line end elsewhere.
TEST_F(RobotstxtGet, OfACutFileInUtf16HalfALineIsNoRule) {
  const auto utf16 = [](std::string_view ascii) {
    std::string wide;
    for (const char c : ascii) wide.append({c, '\0'});
    return wide;
  };
  const std::string letter = "\x05\x0A";
  const std::string text =
      utf16("User-agent: *\nDisallow: /x\nDisallow: /p") + letter + utf16(std::string(300'000, 'q') + "\n");
  site(reply(text, "text/plain; charset=utf-16le"));
  EXPECT_EQ(allowed("/x"), Access::disallowed);
  EXPECT_EQ(allowed("/p%E0%A8%85"), Access::allowed);
}

TEST_F(RobotstxtGet, CertificatesAreVerified) {
  const std::string secure = secure_url("/x");
  site(reply("User-agent: *\nDisallow: /x\n"));
  EXPECT_EQ(get_allowed(secure, "Crawler", get), Access::allowed);  // nobody vouches for it: as any failure
  EXPECT_EQ(count(), 0U);
  get.connection.tls.ca_file = server.ca_file();
  EXPECT_EQ(get_allowed(secure, "Crawler", get), Access::disallowed);
}

TEST_F(RobotstxtGet, FromHttpsToHttpIsNotFollowed) {
  const std::string secure = secure_url("/x");
  get.connection.tls.ca_file = server.ca_file();
  site([&](const SeenRequest& request) {
    return request.ends.tls ? redirect(301, url("/robots.txt")) : reply("User-agent: *\nDisallow: /\n");
  });
  EXPECT_EQ(get_allowed(secure, "Crawler", get), Access::allowed);
  EXPECT_EQ(count(), 1U);
}

TEST_F(RobotstxtGet, BodiesAreBroughtToUtf8ByTheirCharset) {
  site(reply("User-agent: *\nDisallow: /b\xFCg\n", "text/plain; charset=ISO-8859-1"));
  EXPECT_EQ(allowed("/b%C3%BCg"), Access::disallowed);
  EXPECT_EQ(allowed("/b%FCg"), Access::allowed);
  site(reply("User-agent: *\nDisallow: /b\xC3\xBCg\n"));
  EXPECT_EQ(allowed("/b%C3%BCg"), Access::disallowed);
}

TEST_F(RobotstxtGet, UrlCharsetIsThatOfTheUrls) {
  get.url_charset = "latin1";
  for (const auto& [body, type] : {std::pair{"Disallow: /b\xFCg", "text/plain; charset=ISO-8859-1"},
                                   std::pair{"Disallow: /b\xC3\xBCg", "text/plain; charset=utf-8"}}) {
    site(reply("User-agent: *\n" + std::string(body) + "\n", type));
    EXPECT_EQ(allowed("/b%FCg"), Access::disallowed) << type;
    EXPECT_EQ(allowed("/b%C3%BCg"), Access::allowed) << type;
  }
}

TEST_F(RobotstxtGet, WhatNamesNoSiteIsAnError) {
  EXPECT_EQ(robotstxt_parser::get("/x", "Crawler", get).error().code, "invalid-url");
  EXPECT_EQ(robotstxt_parser::get("ftp://a.test/", "Crawler", get).error().code, "unsupported-scheme");
  EXPECT_EQ(robotstxt_parser::get(url("/"), "Crawler\r\nX: y", get).error().code, "invalid-agent");
  get.url_charset = "utf8-ish";
  EXPECT_EQ(robotstxt_parser::get(url("/"), "Crawler", get).error().code, "invalid-charset");
  EXPECT_EQ(allowed("/"), Access::unknown);
  EXPECT_EQ(count(), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
