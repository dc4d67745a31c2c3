// What a page's request carries never goes with robots.txt: userinfo, credentials, cookies, fields.
#include <gtest/gtest.h>

#include <string>

#include <robotrules/user_agent.hpp>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

void expect_plain(const SeenRequest& request) {
  SCOPED_TRACE(request.head);
  for (const char* name : {"Authorization", "Cookie", "Proxy-Authorization", "Referer", "X-Secret"}) {
    EXPECT_EQ(request.header(name), std::nullopt) << name;
  }
  EXPECT_EQ(request.head.find("secret"), std::string::npos);
  EXPECT_EQ(request.head.find('@'), request.head.find("robot@example.org") + 5);  // From: and no other
}

class RobotsSecrets : public testing::TestWithParam<bool> {
 protected:
  RobotsSecrets() : site(GetParam()) {
    site.options.credentials = {{"a.test:" + std::to_string(site.port), "", "user", "secret"}};
    site.options.default_headers = {
        {"Authorization", "Bearer secret"}, {"Cookie", "default=secret"}, {"X-Secret", "secret"}};
    site.options.cookies = std::make_shared<CookieJar>();
    site.options.cookies->add("Set-Cookie: id=secret; domain=a.test; path=/");
  }
  std::string with_userinfo(std::string_view path) const {
    std::string url = site.url(path);
    return url.insert(url.find("://") + 3, "user:secret@");
  }
  Loopback site;
};

TEST_P(RobotsSecrets, DoNotGoWithRobotsTxt) {
  site.robots_txt(reply(no_x));
  EXPECT_EQ(site.robot().get(with_userinfo("/y"), {{"Authorization", "Basic secret"}, {"X-Secret", "secret"}}).code,
            200);
  const auto asked = site.server.witness().requests("/robots.txt");
  ASSERT_EQ(asked.size(), 1U);
  expect_plain(asked[0]);
  // They did go with the page.
  const auto page = site.server.witness().requests("/y");
  ASSERT_EQ(page.size(), 1U);
  EXPECT_NE(page[0].head.find("secret"), std::string::npos);
  EXPECT_TRUE(page[0].header("Authorization"));
}

TEST_P(RobotsSecrets, DoNotGoWithItsRedirectsEither) {
  const std::string target = site.url("/rules.txt", "other.test");
  std::string location = target;
  location.insert(location.find("://") + 3, "user:secret@");
  site.robots_txt(redirect(302, location));
  site.server.on("", "/rules.txt", reply(no_x));
  EXPECT_EQ(site.robot().get(with_userinfo("/x")).source, ResponseSource::robots_denied);
  const auto asked = site.server.witness().requests("/rules.txt");
  ASSERT_EQ(asked.size(), 1U);
  expect_plain(asked[0]);
  EXPECT_EQ(site.record()->url, target);  // nor are they kept
}

TEST_P(RobotsSecrets, AChallengeOfRobotsTxtIsNotAnswered) {
  site.robots_txt(status(401, {{"WWW-Authenticate", "Basic realm=\"r\""}}));
  EXPECT_EQ(site.get("/y").code, 200);
  const auto asked = site.server.witness().requests("/robots.txt");
  ASSERT_EQ(asked.size(), 1U);
  expect_plain(asked[0]);
}

TEST_P(RobotsSecrets, CookiesOfPagesStayAwayAndThoseOfRobotsTxtAreNotKept) {
  Reply setting = reply(no_x);
  setting.headers.push_back({"Set-Cookie", "robots=secret"});
  site.robots_txt(setting);
  Reply page = reply("page");
  page.headers.push_back({"Set-Cookie", "page=secret; Path=/"});
  site.server.on("", "/page", page);
  site.options.default_headers = {};
  EXPECT_EQ(site.get("/page").code, 200);
  site.clock->advance(std::chrono::hours(25));
  EXPECT_EQ(site.get("/y").code, 200);
  const auto asked = site.server.witness().requests("/robots.txt");
  ASSERT_EQ(asked.size(), 2U);
  for (const SeenRequest& request : asked) expect_plain(request);
  const auto pages = site.server.witness().requests("/y");
  ASSERT_EQ(pages.size(), 1U);
  const std::string sent = pages[0].header("Cookie").value_or("");
  EXPECT_NE(sent.find("page=secret"), std::string::npos) << sent;
  EXPECT_EQ(sent.find("robots=secret"), std::string::npos) << sent;
}

INSTANTIATE_TEST_SUITE_P(Over, RobotsSecrets, testing::Bool(),
                         [](const auto& tls) { return tls.param ? "https" : "http"; });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
