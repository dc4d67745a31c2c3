// Cookies: RFC 6265 as libcurl keeps it, with the public suffix list; files; never with robots.txt.
#include <robotrules/user_agent.hpp>

#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include <robotrules/robot_ua.hpp>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class Cookies : public LocalAgent {
 protected:
  void SetUp() override {
    options.cookies = jar;
    server.on("", "/*", reply("x"));
  }
  // The agent is given that cookie by `host`.
  void given(const std::string& host, const std::string& cookie, bool secure = false) {
    server.on("", "/set", [cookie](const SeenRequest&) {
      Reply made = reply("set");
      made.headers.push_back({"Set-Cookie", cookie});
      return made;
    });
    const std::string where = secure ? secure_url("/set", host) : url("/set", host);
    ASSERT_EQ(agent().get(where).body, "set");
  }
  // What it sends there.
  std::string sent(const std::string& where) {
    EXPECT_EQ(agent().get(where).code, 200);
    return server.witness().requests().back().header("Cookie").value_or("");
  }

  static unsigned mode_of(const std::string& path) {
    struct stat file{};
    return stat(path.c_str(), &file) == 0 ? file.st_mode & 0777U : 0;
  }

  std::shared_ptr<CookieJar> jar = std::make_shared<CookieJar>();
};

TEST_F(Cookies, GoBackWhereTheyCameFrom) {
  given("a.test", "one=1");
  given("a.test", "two=2; Path=/deep; HttpOnly");
  EXPECT_EQ(sent(url("/")), "one=1");
  EXPECT_EQ(sent(url("/deep/page")), "two=2; one=1");
  EXPECT_EQ(sent(url("/", "b.test")), "");
  EXPECT_EQ(sent(url("/", "www.a.test")), "") << "without Domain it is the host's own";
  given("a.test", "one=; Max-Age=0");
  EXPECT_EQ(sent(url("/")), "");
  options.cookies = nullptr;
  EXPECT_EQ(sent(url("/deep/page")), "") << "an agent without a jar";
}

TEST_F(Cookies, OfADomainAreForItsSubdomainsAndForNoOneElse) {
  given("www.site.test", "one=1; Domain=site.test");
  EXPECT_EQ(sent(url("/", "other.site.test")), "one=1");
  EXPECT_EQ(sent(url("/", "site.test")), "one=1");
  EXPECT_EQ(sent(url("/", "notsite.test")), "");
  given("www.site.test", "two=2; Domain=other.test");
  EXPECT_EQ(sent(url("/", "other.test")), "");
}

TEST_F(Cookies, OfPublicSuffixesAreRefused) {
  given("shop.co.uk", "one=1; Domain=co.uk");
  given("shop.com", "one=1; Domain=com");
  given("me.github.io", "one=1; Domain=github.io");
  given("shop.CO.UK", "one=1; Domain=cO.Uk");  // libcurl before 8.5.0 compared with case
  EXPECT_TRUE(jar->lines().empty()) << jar->lines().front();
  EXPECT_EQ(sent(url("/", "another.co.uk")), "");
  EXPECT_EQ(sent(url("/", "you.github.io")), "");
}

// RFC 6265 section 5.3, step 5: a public suffix may set cookies for itself, and not for all that is under it.
TEST_F(Cookies, OfAPublicSuffixsOwnHostAreItsAlone) {
  given("github.io", "one=1; Domain=github.io; Path=/");
  given("github.io", "two=2; Domain=.github.io; HttpOnly; Max-Age=1000");
  given("github.io", "three=3");
  const std::string all = sent(url("/", "github.io"));
  EXPECT_EQ(all.size(), std::string("one=1; two=2; three=3").size()) << all;
  for (const char* each : {"one=1", "two=2", "three=3"}) EXPECT_NE(all.find(each), std::string::npos) << all;
  EXPECT_EQ(sent(url("/", "me.github.io")), "");
  for (const std::string& line : jar->lines()) EXPECT_EQ(line.find("TRUE\t/"), std::string::npos) << line;
  given("github.io", "one=4; Domain=github.io; Path=/");
  EXPECT_EQ(jar->lines().size(), 3U);
  given("github.io", "one=; Domain=github.io; Path=/; Max-Age=0");
  EXPECT_EQ(sent(url("/", "github.io")).find("one"), std::string::npos);
}

TEST_F(Cookies, ThatAreSecureGoByTlsAlone) {
  given("a.test", "secret=1; Secure", true);
  const std::string secure = secure_url("/");
  EXPECT_EQ(sent(secure), "secret=1");
  EXPECT_EQ(sent(url("/")), "");
  jar->clear();
  given("a.test", "secret=1; Secure");
  EXPECT_TRUE(jar->lines().empty()) << "nor can they be set without it";
}

TEST_F(Cookies, NeverFollowARedirectToAnotherSite) {
  given("a.test", "one=1");
  server.on("a.test", "/here", redirect(302, url("/there", "b.test")));
  EXPECT_EQ(sent(url("/here")), "");
  EXPECT_EQ(server.witness().requests("/here").back().header("Cookie"), "one=1");
  // And what a redirect sets is set.
  server.on("a.test", "/login", [](const SeenRequest&) {
    Reply made = redirect(302, "/in");
    made.headers.push_back({"Set-Cookie", "session=2"});
    return made;
  });
  const std::string in = sent(url("/login"));
  EXPECT_NE(in.find("session=2"), std::string::npos) << in;
  EXPECT_NE(in.find("one=1"), std::string::npos) << in;
}

TEST_F(Cookies, NeverGoWithRobotsTxt) {
  given("a.test", "one=1");
  server.on("", "/robots.txt", [](const SeenRequest&) {
    Reply made = reply("User-agent: *\nDisallow:\n");
    made.headers.push_back({"Set-Cookie", "from_robots=1"});
    return made;
  });
  EXPECT_EQ(get("/page").body, "x");
  ASSERT_EQ(server.witness().requests("/robots.txt").size(), 1U);
  EXPECT_EQ(server.witness().requests("/robots.txt")[0].header("Cookie"), std::nullopt);
  EXPECT_EQ(server.witness().requests("/page").back().header("Cookie"), "one=1");
  EXPECT_EQ(jar->lines().size(), 1U) << "nor is what comes with it kept";
}

TEST_F(Cookies, AreSavedAndLoaded) {
  given("a.test", "one=1; Max-Age=10000");
  given("a.test", "two=2; HttpOnly; Max-Age=10000");
  const std::string path = new_folder() + "/cookies.txt";
  ASSERT_TRUE(jar->save(path));
  EXPECT_EQ(mode_of(path), 0600U);
  options.cookies = std::make_shared<CookieJar>();
  ASSERT_TRUE(options.cookies->load(path));
  EXPECT_EQ(options.cookies->lines(), jar->lines());
  EXPECT_EQ(sent(url("/")).size(), std::string("one=1; two=2").size());
  const auto unreadable = jar->load("/nowhere/at/all");
  ASSERT_FALSE(unreadable);
  EXPECT_EQ(unreadable.error().code, "file-unreadable");
  const auto unwritable = jar->save("/nowhere/at/all");
  ASSERT_FALSE(unwritable);
  EXPECT_EQ(unwritable.error().code, "file-unwritable");
  std::ofstream(path, std::ios::binary) << "# comment\r\n\r\nnonsense\n.site.test\tTRUE\t/\tFALSE\t0\tname\tvalue\r\n";
  jar->clear();
  EXPECT_TRUE(jar->lines().empty());
  options.cookies = jar;
  ASSERT_TRUE(jar->load(path));
  ASSERT_EQ(jar->lines().size(), 1U);
  EXPECT_EQ(sent(url("/", "www.site.test")), "name=value");
}

TEST_F(Cookies, AreSavedForTheirOwnerAloneWhateverWasThere) {
  const std::string path = new_folder() + "/cookies.txt";
  std::ofstream(path) << "# Netscape HTTP Cookie File\n";
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  given("a.test", "one=1; Max-Age=10000");
  ASSERT_TRUE(jar->save(path));
  EXPECT_EQ(mode_of(path), 0600U);
}

TEST_F(Cookies, OneJarServesSeveralAgentsAndThreads) {
  given("a.test", "one=1");
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      UserAgent ua = agent();
      for (int turn = 0; turn < 20; ++turn) {
        good += ua.get(url("/")).code == 200 ? 1 : 0;
        jar->add(".x.test\tTRUE\t/\tFALSE\t0\tn" + std::to_string(turn) + "\tv");
        good += jar->lines().empty() ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 160);
  for (const SeenRequest& request : server.witness().requests("/")) EXPECT_EQ(request.header("Cookie"), "one=1");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
