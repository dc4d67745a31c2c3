// What a proxy says is not what the site says: nothing of it is recorded, and it opens and closes no site.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/agent/loopback.hpp"
#include "support/agent/raw_proxy.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

struct ProxyWord {
  std::string name;
  std::string scheme;                // of the proxy
  bool tls;                          // the URL is https
  std::vector<std::string> answers;  // empty: nothing listens
  ResponseSource source;
  std::string says;  // a part of the warning
};

std::string head(const std::string& status, const std::string& field = {}) {
  return "HTTP/1.1 " + status + "\r\n" + (field.empty() ? "" : field + "\r\n") + "Content-Length: 0\r\n\r\n";
}

// The reply of a SOCKS 5 proxy.
std::vector<std::string> socks5(char code) {
  return {std::string("\x05\x00", 2),
          std::string("\x05", 1) + code + std::string("\x00\x01\x00\x00\x00\x00\x00\x00", 8)};
}

const std::vector<ProxyWord> words = {
    {"is dead", "http", false, {}, ResponseSource::proxy_failed, "cannot be reached"},
    {"is dead for https", "http", true, {}, ResponseSource::proxy_failed, "cannot be reached"},
    {"SOCKS is dead", "socks5h", false, {}, ResponseSource::proxy_failed, "cannot be reached"},
    {"407",
     "http",
     false,
     {head("407 Proxy Authentication Required", "Proxy-Authenticate: Basic realm=\"p\"")},
     ResponseSource::proxy_failed,
     "answers 407"},
    {"CONNECT 407",
     "http",
     true,
     {head("407 Proxy Authentication Required", "Proxy-Authenticate: Basic realm=\"p\"")},
     ResponseSource::proxy_failed,
     "answers 407"},
    {"no TLS for a proxy with TLS",
     "https",
     false,
     {head("200 OK")},
     ResponseSource::proxy_failed,
     "the proxy https://"},
    {"SOCKS 1", "socks5h", false, socks5(1), ResponseSource::proxy_failed, "the proxy socks5h://"},
    {"SOCKS has no method", "socks5h", false, {"\x05\xFF"}, ResponseSource::proxy_failed, "the proxy socks5h://"},
    {"404 of Squid",
     "http",
     false,
     {head("404 Not Found", "X-Squid-Error: ERR_DNS_FAIL 0")},
     ResponseSource::proxy_refused,
     "answers 404"},
    {"503 of Squid",
     "http",
     false,
     {head("503 Service Unavailable", "X-Squid-Error: ERR_CONNECT_FAIL 111")},
     ResponseSource::proxy_refused,
     "answers 503"},
    {"Proxy Status",
     "http",
     false,
     {head("502 Bad Gateway", "Proxy-Status: p; error=connection_refused")},
     ResponseSource::proxy_refused,
     "answers 502"},
    {"Proxy Status of several",
     "http",
     false,
     {head("404 Not Found", "Proxy-Status: a, b;error=dns_error;rcode=3")},
     ResponseSource::proxy_refused,
     "answers 404"},
    {"an end without an answer", "http", false, {""}, ResponseSource::proxy_refused, "the proxy http://"},
    {"no HTTP", "http", false, {"hello\r\n\r\n"}, ResponseSource::proxy_refused, "the proxy http://"},
    {"CONNECT 403", "http", true, {head("403 Forbidden")}, ResponseSource::proxy_refused, "answers 403 to CONNECT"},
    {"CONNECT 404", "http", true, {head("404 Not Found")}, ResponseSource::proxy_refused, "answers 404 to CONNECT"},
    {"CONNECT 502", "http", true, {head("502 Bad Gateway")}, ResponseSource::proxy_refused, "answers 502 to CONNECT"},
    {"CONNECT 504", "http", true, {head("504 Timeout")}, ResponseSource::proxy_refused, "answers 504 to CONNECT"},
    {"CONNECT without an answer", "http", true, {""}, ResponseSource::proxy_refused, "the proxy http://"},
    {"SOCKS 2", "socks5h", false, socks5(2), ResponseSource::proxy_refused, "the proxy socks5h://"},
    {"SOCKS 4", "socks5h", true, socks5(4), ResponseSource::proxy_refused, "the proxy socks5h://"},
    {"SOCKS 5", "socks5h", false, socks5(5), ResponseSource::proxy_refused, "the proxy socks5h://"},
    {"SOCKS 8", "socks5h", false, socks5(8), ResponseSource::proxy_refused, "the proxy socks5h://"},
    {"SOCKS4 91",
     "socks4a",
     false,
     {std::string("\x00\x5B\x00\x00\x00\x00\x00\x00", 8)},
     ResponseSource::proxy_refused,
     "the proxy socks4a://"},
};

class RobotsByProxy : public testing::TestWithParam<ProxyWord> {};

TEST_P(RobotsByProxy, IsNotTheSites) {
  const ProxyWord& word = GetParam();
  Loopback site;
  site.robots_txt(reply(no_x));
  const std::string page = word.tls ? site.secure_url("/y") : site.url("/y");
  const RawProxy listening(word.answers);
  const std::uint16_t port = word.answers.empty() ? site.server.refuse() : listening.port();
  const std::string proxy = word.scheme + "://bob:s3cr3t@127.0.0.1:" + std::to_string(port);
  site.options.connection.proxy = {.http = proxy, .https = proxy};
  RobotUA robot = site.new_robot();
  for (int turn = 0; turn < 2; ++turn) {
    const Response refused = robot.get(page);
    EXPECT_EQ(refused.source, word.source) << to_string(refused.source) << ": " << refused.warning;
    EXPECT_NE(refused.warning.find(word.says), std::string::npos) << refused.warning;
    EXPECT_EQ(refused.warning.find("s3cr3t"), std::string::npos) << refused.warning;
    EXPECT_EQ(robot.rules()->store()->robots(*Origin::of(page)).value(), nullptr);
  }
  // Not only robots.txt: the same holds for a page.
  Request request{.url = page, .record = true};
  const Response plain = site.agent().request(request);
  EXPECT_EQ(plain.source, word.source) << to_string(plain.source) << ": " << plain.warning;
  EXPECT_EQ(plain.recording, nullptr);
  EXPECT_EQ(plain.peer, "");
  EXPECT_EQ(site.count(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Word, RobotsByProxy, testing::ValuesIn(words),
                         [](const auto& info) { return as_test_name(info.param.name); });

// The first 407 made it "no robots.txt" for a day, and the page was fetched without the proxy.
TEST(RobotsBehindProxy, AreAskedWithoutTheProxyThatWantedAPassword) {
  Loopback site;
  site.robots_txt(reply(no_x));
  const std::uint16_t proxy = site.server.open({.manner = Manner::proxy, .proxy_credentials = "me:pass"});
  const auto rules = std::make_shared<RobotRules>("test-robot");
  const auto robot = [&] {
    return RobotUA::make("test-robot/1.0", "robot@example.org", rules, site.robot_options).value();
  };
  site.options.connection.proxy.http = "http://127.0.0.1:" + std::to_string(proxy);
  EXPECT_EQ(robot().get(site.url("/x")).source, ResponseSource::proxy_failed);
  site.options.connection.proxy = {};
  EXPECT_EQ(robot().get(site.url("/x")).source, ResponseSource::robots_denied);
}

TEST(RobotsBehindProxy, AreObeyed) {
  Loopback site;
  site.robots_txt(reply(no_x));
  const std::string secure = site.secure_url("/x");
  const std::uint16_t proxy = site.server.open({.manner = Manner::proxy});
  const std::string where = "http://127.0.0.1:" + std::to_string(proxy);
  site.options.connection.proxy = {.http = where, .https = where};
  RobotUA robot = site.new_robot();
  EXPECT_EQ(robot.get(site.url("/x")).source, ResponseSource::robots_denied);
  EXPECT_EQ(robot.get(secure).source, ResponseSource::robots_denied);
  Request request{.url = site.url("/y"), .record = true};
  const Response page = robot.request(request);
  EXPECT_EQ(page.body, "page y") << page.warning;
  ASSERT_NE(page.recording, nullptr);
  EXPECT_EQ(page.recording->peer, "") << "the address is the proxy's";
}

struct Status {
  std::string value;
  bool is_error;
};

TEST(ProxyStatus, HasAnErrorAmongItsParameters) {
  for (const Status& each : std::vector<Status>{{"p; error=dns_error", true},
                                                {"p;error=dns_error", true},
                                                {"p;   error=dns_error", true},
                                                {"a, b; received-status=1; error=x", true},
                                                {"p; details=\"; error=x\"", false},
                                                {"p; details=\"\\\"; error=x\"", false},
                                                {"p; details=\"a\"; error=x", true},
                                                {"p; received-status=404", false},
                                                {"p; errors=1", false},
                                                {"error=1", false}}) {
    Loopback site;
    site.server.on("", "/page", status(404, {{"Proxy-Status", each.value}}));
    const std::uint16_t proxy = site.server.open({.manner = Manner::proxy});
    site.options.connection.proxy.http = "http://127.0.0.1:" + std::to_string(proxy);
    EXPECT_EQ(site.agent().get(site.url("/page")).source,
              each.is_error ? ResponseSource::proxy_refused : ResponseSource::server)
        << each.value;
  }
}

// A head that cannot be read is the proxy's if nothing tells that it is the site's.
TEST(ProxyStatus, OfAHeadThatIsRefusedCounts) {
  Loopback site;
  site.server.on(
      "", "/page",
      Script().send("HTTP/1.1 503 Busy\r\nX-Squid-Error: ERR 0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"));
  const std::uint16_t proxy = site.server.open({.manner = Manner::proxy});
  site.options.connection.proxy.http = "http://127.0.0.1:" + std::to_string(proxy);
  EXPECT_EQ(site.agent().get(site.url("/page")).source, ResponseSource::proxy_refused);
}

TEST(TunnelOfProxy, ThatIsKeptHasTheAnswersOfTheSite) {
  Loopback site;
  const std::string page = site.secure_url("/y");
  site.server.on("", "/locked", status(407));
  const std::uint16_t proxy = site.server.open({.manner = Manner::proxy});
  site.options.connection.proxy.https = "http://127.0.0.1:" + std::to_string(proxy);
  UserAgent ua = site.agent();
  EXPECT_EQ(ua.get(page).body, "page y");
  const Response locked = ua.get(site.secure_url("/locked"));
  EXPECT_EQ(locked.source, ResponseSource::server) << locked.warning;
  EXPECT_EQ(locked.code, 407);
  EXPECT_EQ(site.server.witness().connections_to(proxy), 1U);
}

// A site that answers 407 itself has not said that it has no robots.txt.
TEST(RobotsWithoutProxy, A407IsNoAnswerAboutTheFile) {
  for (const bool tunnel : {false, true}) {
    Loopback site;
    site.robots_txt(status(407));
    const std::string page = tunnel ? site.secure_url("/y") : site.url("/y");
    const std::uint16_t proxy = site.server.open({.manner = Manner::proxy});
    if (tunnel) site.options.connection.proxy.https = "http://127.0.0.1:" + std::to_string(proxy);
    RobotUA robot = site.new_robot();
    EXPECT_EQ(robot.get(page).source, ResponseSource::robots_unreachable);
    const auto record = robot.rules()->store()->robots(*Origin::of(page)).value();
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->outcome, RobotsOutcome::unreachable);
    EXPECT_EQ(record->status, 407);
    EXPECT_EQ(site.times("/y"), 0U);
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
