// The attributes of LWP::UserAgent that are set one by one: timeout, default_header and cookie_jar.
#include <fstream>
#include <string>
#include <thread>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"

namespace robotrules::test {
namespace {

using namespace std::chrono_literals;

class Attributes : public LocalAgent {
 protected:
  void SetUp() override { server.on("", "/*", reply("x")); }
  SeenRequest last() const { return server.witness().requests().back(); }
};

TEST_F(Attributes, TimeoutEndsAServerThatSaysNothing) {
  const Gate never;
  server.on("", "/", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab").wait(never));
  UserAgent ua = agent();
  EXPECT_EQ(ua.timeout(), UserAgentOptions().limits.max_idle_time);
  ua.timeout(1s);
  EXPECT_EQ(ua.timeout(), 1s);
  EXPECT_EQ(ua.options().limits.max_total_time, options.limits.max_total_time);
  EXPECT_EQ(ua.get(url("/")).source, ResponseSource::timeout);
  never.open();
}

TEST_F(Attributes, DefaultHeaderIsSentUntilItIsRemoved) {
  options.default_headers = {{"Accept-Language", "de"}, {"X-Own", "1"}};
  UserAgent ua = agent();
  EXPECT_EQ(ua.default_header("accept-language"), "de");
  ua.default_header("Accept-Language", "no");
  EXPECT_EQ(ua.default_header("Accept-Language"), "no");
  ua.get(url("/"));
  EXPECT_EQ(last().all("Accept-Language"), std::vector<std::string>{"no"});
  EXPECT_EQ(last().header("X-Own"), "1");
  ua.get(url("/"), {{"Accept-Language", "fr"}});
  EXPECT_EQ(last().all("Accept-Language"), std::vector<std::string>{"fr"});
  ua.default_header("Accept-Language", std::nullopt);
  EXPECT_EQ(ua.default_header("Accept-Language"), std::nullopt);
  ua.get(url("/"));
  EXPECT_EQ(last().header("Accept-Language"), std::nullopt);
  ua.default_header("X-Own", "a\r\nX-Other: b");
  EXPECT_EQ(ua.get(url("/")).source, ResponseSource::invalid_request);
}

TEST_F(Attributes, CookieJarIsLoadedFromAFile) {
  const std::string path = new_folder() + "/cookies.txt";
  UserAgent ua = agent();
  EXPECT_EQ(ua.cookie_jar(), nullptr);
  ASSERT_TRUE(ua.cookie_jar(path)) << "a file that does not exist yet";
  ua.cookie_jar()->add("a.test\tFALSE\t/\tFALSE\t0\tname\tvalue");
  ASSERT_TRUE(ua.cookie_jar()->save(path));
  UserAgent next = agent();
  ASSERT_TRUE(next.cookie_jar(path));
  next.get(url("/"));
  EXPECT_EQ(last().header("Cookie"), "name=value");
  const auto refused = next.cookie_jar(new_folder());
  ASSERT_FALSE(refused) << "a folder is not a file of cookies";
  EXPECT_EQ(refused.error().code, "file-unreadable");
  next.get(url("/"));
  EXPECT_EQ(last().header("Cookie"), "name=value") << "the jar stays";
  next.cookie_jar(nullptr);
  next.get(url("/"));
  EXPECT_EQ(last().header("Cookie"), std::nullopt);
}

TEST_F(Attributes, OfARobotAreThoseOfItsAgent) {
  robots_txt(reply("User-agent: *\nDisallow:\n"));
  const std::string name = robot().agent();
  robot().default_header("Accept-Language", "no");
  robot().timeout(30s);
  EXPECT_EQ(robot().agent(), name);
  EXPECT_EQ(get("/page").body, "x");
  EXPECT_EQ(last().header("Accept-Language"), "no");
}

TEST_F(Attributes, ChangesOfTwoThreadsAreAllKept) {
  UserAgent ua = agent();
  constexpr int fields = 500;
  const auto change = [&](const std::string& prefix) {
    for (int i = 0; i < fields; ++i) {
      ua.default_header(prefix + std::to_string(i), "1");
      ua.timeout(std::chrono::seconds(i + 1));
    }
  };
  std::thread first(change, "X-First-");
  std::thread second(change, "X-Second-");
  first.join();
  second.join();
  EXPECT_EQ(ua.options().default_headers.size(), 2U * fields);
  EXPECT_EQ(ua.timeout(), std::chrono::seconds(fields));
}

}  // namespace
}  // namespace robotrules::test
