// UserAgent's attributes that are got and set one by one.
#include <thread>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

TEST(Attributes, TimeoutEndsASilentRequest) {
  Loopback site;
  const Gate never;
  site.server.on("", "/silent", Script().wait(never));
  UserAgent ua = site.agent();
  ua.timeout(std::chrono::milliseconds(50));
  EXPECT_EQ(ua.timeout(), std::chrono::milliseconds(50));
  EXPECT_EQ(ua.options().limits.max_idle_time, std::chrono::milliseconds(50));
  EXPECT_EQ(ua.get(site.url("/silent")).source, ResponseSource::timeout);
  never.open();
}

TEST(Attributes, DefaultHeaderIsSentAndReplaced) {
  Loopback site;
  UserAgent ua = site.agent();
  EXPECT_EQ(ua.default_header("Accept-Language"), std::nullopt);
  ua.default_header("Accept-Language", "no");
  ua.get(site.url("/x"));
  ua.default_header("accept-language", "en");
  ua.get(site.url("/x"));
  EXPECT_EQ(ua.default_header("Accept-Language"), "en");
  EXPECT_EQ(site.seen(0).all("Accept-Language"), std::vector<std::string>{"no"});
  EXPECT_EQ(site.seen(1).all("Accept-Language"), std::vector<std::string>{"en"});
}

TEST(Attributes, CookieJarBeginsWithThoseOfTheFile) {
  Loopback site;
  const TemporaryFolder folder;
  const std::string file = folder.file("cookies", "a.test\tFALSE\t/\tFALSE\t0\tname\tvalue\n");
  UserAgent ua = site.agent();
  EXPECT_EQ(ua.cookie_jar(), nullptr);
  ASSERT_TRUE(ua.cookie_jar(file));
  ua.get(site.url("/x"));
  EXPECT_EQ(site.seen(0).header("Cookie"), "name=value");
}

TEST(Attributes, CookieJarOfANewFileIsEmptyAndCanBeSaved) {
  Loopback site;
  site.server.on("", "/set", status(200, {{"Set-Cookie", "key=1; Max-Age=1000"}}));
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/new";
  UserAgent ua = site.agent();
  ASSERT_TRUE(ua.cookie_jar(file));
  ua.get(site.url("/set"));
  ASSERT_TRUE(ua.cookie_jar()->save(file));
  UserAgent next = site.agent();
  ASSERT_TRUE(next.cookie_jar(file));
  next.get(site.url("/x"));
  EXPECT_EQ(site.seen(1).header("Cookie"), "key=1");
}

TEST(Attributes, CookieJarStaysIfTheFileCannotBeRead) {
  Loopback site;
  const TemporaryFolder folder;
  UserAgent ua = site.agent();
  const auto jar = std::make_shared<CookieJar>();
  ua.cookie_jar(jar);
  const auto failed = ua.cookie_jar(folder.path());
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, "file-unreadable");
  EXPECT_EQ(ua.cookie_jar(), jar);
}

TEST(Attributes, ChangesByTwoThreadsAllHold) {
  UserAgent ua;
  constexpr int rounds = 2'000;
  const auto change = [&](const std::string& name) {
    for (int i = 1; i <= rounds; ++i) ua.default_header(name + std::to_string(i % 10), std::to_string(i));
  };
  std::thread other(change, "X-Other-");
  change("X-One-");
  other.join();
  for (int i = rounds - 9; i <= rounds; ++i) {
    for (const std::string name : {"X-One-", "X-Other-"}) {
      EXPECT_EQ(ua.default_header(name + std::to_string(i % 10)), std::to_string(i)) << name;
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
