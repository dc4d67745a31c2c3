// One URL, one request: a robot sends the normal form, and asks the rules about the spelling that was found too.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class RobotSpellings : public testing::Test {
 protected:
  // The rules are read as Google reads them: escapes of a URL are compared as they are.
  void by_google(const std::string& robots) {
    auto rules = RobotRules::open(rig.store, "my-robot", Dialect::google());
    ASSERT_TRUE(rules.ok());
    ASSERT_TRUE(rig.agent().rules(std::make_shared<RobotRules>(std::move(rules).value())).ok());
    rig.site("http://a.test", robots);
  }
  std::vector<std::string> sent() const {
    std::vector<std::string> urls;
    for (const WireRequest& request : rig.pages()) urls.push_back(request.url);
    return urls;
  }
  void redirect(const std::string& from, const std::string& location) {
    rig.transport->on(from, {.status = 301, .headers = {{"Location", location}}});
  }

  RobotRig rig;
};

using Urls = std::vector<std::string>;

TEST_F(RobotSpellings, TheNormalFormIsSentAndIsTheUrlOfTheResponse) {
  for (const char* found : {"http://a.test/caf\xC3\xA9", "http://a.test/caf%c3%a9", "http://a.test/caf%C3%A9"}) {
    EXPECT_EQ(rig.fetch(found).url, "http://a.test/caf%C3%A9") << found;
  }
  EXPECT_EQ(rig.fetch("http://a.test/%7Ejoe?a|b").url, "http://a.test/~joe?a%7Cb");
  EXPECT_EQ(sent(), (Urls{"http://a.test/caf%C3%A9", "http://a.test/caf%C3%A9", "http://a.test/caf%C3%A9",
                          "http://a.test/~joe?a%7Cb"}));
}

TEST_F(RobotSpellings, EitherSpellingMayBeDisallowed) {
  by_google("User-agent: *\nDisallow: /*a|b\nDisallow: /%7Ejoe\nDisallow: /~ann\nDisallow: /caf%C3%A9\n");
  const struct {
    const char* path;
    Access access;
  } cases[] = {
      {"/x/a|b", Access::disallowed},        // as it was found
      {"/x/a%7Cb", Access::allowed},         // no rule has this spelling
      {"/%7Ejoe", Access::disallowed},       // as it was found
      {"/~joe", Access::allowed},            // as before
      {"/%7Eann", Access::disallowed},       // as it is sent
      {"/~ann", Access::disallowed},         // both
      {"/caf%c3%a9", Access::disallowed},    // as it is sent
      {"/caf\xC3\xA9", Access::disallowed},  // as it is sent
      {"/x/../%7Ejoe", Access::disallowed},  // without dot segments
      {"/%7Ejoe/../x", Access::allowed},
  };
  std::size_t allowed = 0;
  for (const auto& [path, access] : cases) {
    const std::string url = std::string("http://a.test") + path;
    EXPECT_EQ(rig.consult(url).access, access) << path;
    const Response page = rig.fetch(url);
    EXPECT_EQ(page.source, access == Access::allowed ? ResponseSource::server : ResponseSource::robots_denied) << path;
    if (access == Access::allowed) ++allowed;
  }
  EXPECT_EQ(rig.pages().size(), allowed);
  EXPECT_NE(rig.fetch("http://a.test/x/a|b").warning.find("disallowed by \"Disallow: /*a|b\""), std::string::npos);
}

// Dialect original-1994 compares bytes as they are.
TEST_F(RobotSpellings, ASpellingThatOlderVersionsSentIsStillAsked) {
  auto rules = RobotRules::open(rig.store, "my-robot", Dialect::original_1994());
  ASSERT_TRUE(rules.ok());
  ASSERT_TRUE(rig.agent().rules(std::make_shared<RobotRules>(std::move(rules).value())).ok());
  rig.site("http://a.test", "User-agent: *\nDisallow: /caf%c3%a9\nDisallow: /na\xC3\xAFve\nDisallow: /a%20b|c\n");
  for (const char* denied : {"/caf\xC3\xA9", "/caf%c3%a9", "/na\xC3\xAFve", "/a b|c"}) {
    EXPECT_EQ(rig.consult(std::string("http://a.test") + denied).access, Access::disallowed) << denied;
  }
  EXPECT_EQ(rig.consult("http://a.test/caf%C3%A9").access, Access::allowed);
}

TEST_F(RobotSpellings, ALocationIsAskedInBothAndSentInTheNormalForm) {
  by_google("User-agent: *\nDisallow: /*a|b\nDisallow: /%7Ejoe/x\n");
  redirect("http://a.test/1", "/%7Eann");
  EXPECT_EQ(rig.fetch("http://a.test/1").url, "http://a.test/~ann");
  redirect("http://a.test/2", "/a|b");
  const Response denied = rig.fetch("http://a.test/2");
  EXPECT_EQ(denied.source, ResponseSource::robots_denied);
  EXPECT_EQ(denied.url, "http://a.test/a%7Cb");
  // A relative one belongs to the page as it was found.
  redirect("http://a.test/~joe/3", "x");
  EXPECT_EQ(rig.fetch("http://a.test/%7Ejoe/3").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("http://a.test/~joe/3").url, "http://a.test/~joe/x");
  EXPECT_EQ(sent(), (Urls{"http://a.test/1", "http://a.test/~ann", "http://a.test/2", "http://a.test/~joe/3",
                          "http://a.test/~joe/3", "http://a.test/~joe/x"}));
}

TEST_F(RobotSpellings, ARedirectToAnotherSpellingOfTheSameUrlIsALoop) {
  redirect("http://a.test/~joe", "/%7Ejoe");
  const Response response = rig.fetch("http://a.test/~joe");
  EXPECT_EQ(response.source, ResponseSource::redirect_refused);
  EXPECT_EQ(rig.pages().size(), 1U);
}

TEST_F(RobotSpellings, ALocationGivesNoCredentials) {
  redirect("http://a.test/1", "http://joe:secret@a.test/2");
  rig.fetch("http://a.test/1");
  EXPECT_FALSE(rig.pages().back().headers.has("Authorization"));
}

// RFC 9309 section 2.2.2: /robots.txt is always allowed; another spelling of it is a page.
TEST_F(RobotSpellings, RobotsTxtInAnotherSpellingMayBeDisallowed) {
  by_google("User-agent: *\nDisallow: /%72obots\n");
  EXPECT_EQ(rig.consult("http://a.test/robots.txt").access, Access::allowed);
  EXPECT_EQ(rig.consult("http://a.test/%72obots.txt").access, Access::disallowed);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
