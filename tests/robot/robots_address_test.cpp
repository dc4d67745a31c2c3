// Where a robot may be led: schemes, addresses however they are spelled, names that change their address, connections
// made before, proxies of the environment. Listeners on loopback that nobody may reach are the canaries.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// A server on what counts as the public Internet here, 127.1.0.0/16, and canaries on the rest of loopback.
class Inside : public Loopback {
 public:
  Inside() {
    port = port_with_canaries();
    options.connection.guard = AddressGuard();
    static_cast<void>(options.connection.guard.allow("127.1.0.0/16"));
    options.connection.resolve = [](std::string_view host, std::uint16_t) -> std::vector<std::string> {
      if (host == "public.test") return {"127.1.0.1"};
      if (host == "inside.test") return {"127.0.0.1"};
      if (host == "metadata.test") return {"169.254.169.254"};
      if (host == "both.test") return {"127.0.0.1", "127.9.9.9"};
      return {};
    };
    robots_txt(reply(no_x));
  }
  // All connections went to the public address.
  bool stayed_outside() const {
    for (const SeenConnection& seen : server.witness().connections()) {
      if (seen.ends.local_address != "127.1.0.1") return false;
    }
    return true;
  }

 private:
  // A port that is free on one address may be taken on another: then the next one is tried.
  std::uint16_t port_with_canaries() {
    for (int tries = 0; tries < 100; ++tries) {
      const std::uint16_t port = server.listen("127.1.0.1");
      try {
        for (const char* address : {"127.0.0.1", "127.9.9.9"}) {
          server.open({.address = address, .port = port, .manner = Manner::silent});
        }
        return port;
      } catch (const std::exception&) {
        server.stop_listening(port);
      }
    }
    throw std::runtime_error("no port is free on three addresses");
  }
};

// Hosts as they stand in a URL.
const std::vector<std::string>& inside_hosts() {
  static const std::vector<std::string> hosts{
      // loopback
      "127.0.0.1", "127.9.9.9", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0X7F.0x0.0x0.0x1",
      "017700000001", "0177.0.0.1", "0177.0.0.01", "127.0.0.1.", "%31%32%37.0.0.1", "127.0.0.%31", "localhost",
      "LOCALHOST", "localhost.", "\xE2\x91\xA0\xE2\x91\xA1\xE2\x91\xA6.0.0.1",
      "127\xE3\x80\x82"
      "0\xE3\x80\x82"
      "0\xE3\x80\x82"
      "1",
      "\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]", "[::0001]",
      // IPv4 within IPv6
      "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::FFFF:7F00:0001]", "[::127.0.0.1]",
      "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::ffff:169.254.169.254]",
      "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]", "[::ffff:10.0.0.1]",
      // unspecified
      "0.0.0.0", "0", "0x0", "[::]",
      // private, link-local, metadata, shared
      "10.0.0.1", "167772161", "172.16.0.1", "172.31.255.255", "192.168.0.1", "0xc0a80001", "169.254.169.254",
      "2852039166", "0xA9FEA9FE", "0251.0376.0251.0376", "169.254.170.2", "168.63.129.16", "100.64.0.1",
      "100.100.100.200", "192.0.0.192", "[fd00:ec2::254]", "[fc00::1]", "[fe80::1]", "[fe80::a9fe:a9fe]", "[fec0::1]",
      // nobody's
      "198.18.0.1", "192.0.2.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[ff02::1]", "[2001:db8::1]", "[100::1]",
      // names and userinfo
      "inside.test", "INSIDE.test.", "metadata.test", "both.test", "public.test@127.0.0.1", "public.test:80@127.0.0.1",
      "public.test%40127.0.0.1", "public.test\\@127.0.0.1"};
  return hosts;
}

class RobotsInside : public testing::TestWithParam<std::string> {};

// A16: by the URL of a page, by the Location of a robots.txt, by that of a page.
TEST_P(RobotsInside, IsNotConnectedTo) {
  Inside inside;
  const std::string target = "http://" + GetParam() + ':' + std::to_string(inside.port);
  inside.server.on("public.test", "/to-robots", redirect(302, target + "/robots.txt"));
  inside.server.on("public.test", "/to-page", redirect(302, target + "/y"));
  RobotUA robot = inside.new_robot();

  const Response asked = robot.get(target + "/y");
  EXPECT_TRUE(asked.is_synthetic()) << asked.status_line();
  EXPECT_FALSE(asked.warning.empty());

  const Response led = robot.get(inside.url("/to-page", "public.test"));
  EXPECT_NE(led.body, "page y");
  EXPECT_TRUE(led.is_synthetic() || led.source == ResponseSource::redirect_refused) << led.status_line();

  inside.server.on("public.test", "/robots.txt", redirect(302, target + "/robots.txt"));
  RobotUA other = inside.new_robot();
  const Response robots = other.get(inside.url("/y", "public.test"));
  EXPECT_EQ(robots.source, ResponseSource::robots_unreachable) << robots.warning;

  EXPECT_TRUE(inside.stayed_outside());
  EXPECT_TRUE(inside.server.witness().requests("/y").empty());
}

INSTANTIATE_TEST_SUITE_P(Spelled, RobotsInside, testing::ValuesIn(inside_hosts()),
                         [](const auto& host) { return std::to_string(host.index) + '_' + as_test_name(host.param); });

TEST(RobotsAddress, AtLeast40SpellingsAreTried) {
  RecordProperty("spellings", static_cast<int>(inside_hosts().size()));
  EXPECT_GE(inside_hosts().size(), 40U);
}

TEST(RobotsAddress, TheCanaryWouldSing) {
  Inside inside;
  static_cast<void>(inside.options.connection.guard.allow("127.0.0.0/8"));
  inside.policy().timeout = std::chrono::seconds(2);
  RobotUA robot = inside.new_robot();
  static_cast<void>(robot.get(inside.url("/y", "127.9.9.9")));
  EXPECT_FALSE(inside.stayed_outside());
}

TEST(RobotsAddress, ARefusedAddressIsSaidInTheAnswer) {
  const Inside inside;
  RobotUA robot = inside.new_robot();
  const Response page = robot.get(inside.url("/y", "inside.test"));
  EXPECT_EQ(page.source, ResponseSource::robots_unreachable);
  EXPECT_NE(page.warning.find("127.0.0.1:" + std::to_string(inside.port) + " is not allowed"), std::string::npos)
      << page.warning;
}

// A name that is public when robots.txt is asked for and not when the page is.
TEST(RobotsRebinding, ThePageIsRefused) {
  Inside inside;
  inside.options.connection.keep_alive = 0;
  auto asked = std::make_shared<std::atomic<int>>(0);
  inside.options.connection.resolve = [asked](std::string_view, std::uint16_t) {
    return std::vector<std::string>{(*asked)++ == 0 ? "127.1.0.1" : "127.0.0.1"};
  };
  RobotUA robot = inside.new_robot();
  const Response page = robot.get(inside.url("/y", "rebound.test"));
  EXPECT_EQ(page.source, ResponseSource::address_refused) << page.warning;
  EXPECT_EQ(inside.server.witness().requests("/robots.txt").size(), 1U);
  EXPECT_TRUE(inside.stayed_outside());
}

// The connection to the public address is the same site still.
TEST(RobotsRebinding, AKeptConnectionStaysWhereItIs) {
  Inside inside;
  auto asked = std::make_shared<std::atomic<int>>(0);
  inside.options.connection.resolve = [asked](std::string_view, std::uint16_t) {
    return std::vector<std::string>{(*asked)++ == 0 ? "127.1.0.1" : "127.0.0.1"};
  };
  RobotUA robot = inside.new_robot();
  const Response page = robot.get(inside.url("/y", "rebound.test"));
  EXPECT_TRUE(page.body == "page y" || page.source == ResponseSource::address_refused) << page.warning;
  EXPECT_TRUE(inside.stayed_outside());
}

TEST(RobotsRebinding, AnAddressBehindARefusedOneIsNoWayIn) {
  Inside inside;
  inside.options.connection.resolve = [](std::string_view, std::uint16_t) {
    return std::vector<std::string>{"127.0.0.1", "127.1.0.1"};
  };
  RobotUA robot = inside.new_robot();
  static_cast<void>(robot.get(inside.url("/y", "mixed.test")));
  EXPECT_TRUE(inside.stayed_outside());
}

// A guard that came later holds for connections made before it.
TEST(RobotsReuse, AKeptConnectionIsAskedAboutAgain) {
  Inside inside;
  RobotUA robot = inside.new_robot();
  EXPECT_EQ(robot.get(inside.url("/y", "public.test")).body, "page y");
  UserAgentOptions changed = robot.options();
  changed.connection.guard = AddressGuard();
  robot.configure(changed);
  const Response page = robot.get(inside.url("/y", "public.test"));
  EXPECT_EQ(page.source, ResponseSource::address_refused) << page.warning;
  EXPECT_EQ(inside.server.witness().requests("/y").size(), 1U);
}

TEST(RobotsProxy, OfTheEnvironmentIsNotUsedUnlessAskedFor) {
  Inside inside;
  const std::uint16_t proxy = inside.server.open({.address = "127.1.0.2", .manner = Manner::proxy});
  const std::string url = "http://127.1.0.2:" + std::to_string(proxy);
  for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"}) {
    setenv(name, url.c_str(), 1);
  }
  {
    RobotUA robot = inside.new_robot();
    EXPECT_EQ(robot.get(inside.url("/y", "public.test")).body, "page y");
  }
  EXPECT_EQ(inside.server.witness().connections_to(proxy), 0U);
  inside.options.connection.proxy = proxy_from_environment();
  {
    RobotUA robot = inside.new_robot();
    EXPECT_EQ(robot.get(inside.url("/y", "public.test")).body, "page y");
  }
  EXPECT_GT(inside.server.witness().connections_to(proxy), 0U);
  for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"}) unsetenv(name);
}

TEST(RobotsPorts, ThatAreNotAllowedAreNotConnectedTo) {
  Inside inside;
  const std::uint16_t other = inside.server.open({.address = "127.1.0.1", .manner = Manner::silent});
  inside.options.connection.ports = {inside.port};
  inside.server.on("", "/robots.txt", redirect(302, url_of(other, "/robots.txt", "public.test")));
  RobotUA robot = inside.new_robot();
  const Response page = robot.get(inside.url("/y", "public.test"));
  EXPECT_EQ(page.source, ResponseSource::robots_unreachable) << page.warning;
  EXPECT_EQ(inside.server.witness().connections_to(other), 0U);
}

// --- schemes (A15) ---------------------------------------------------------------------------------------------------

class RobotsScheme : public testing::TestWithParam<const char*> {};

TEST_P(RobotsScheme, IsUnreachableAndConnectsNowhere) {
  for (const bool tls : {false, true}) {
    Loopback site(tls);
    const std::uint16_t canary = site.server.open({.manner = Manner::silent});
    std::string location = GetParam();
    for (std::size_t at; (at = location.find("HERE")) != std::string::npos;) {
      location.replace(at, 4, "127.0.0.1:" + std::to_string(canary));
    }
    site.robots_txt(redirect(302, location));
    const Response page = site.get("/x");
    EXPECT_EQ(page.source, ResponseSource::robots_unreachable) << page.warning;
    EXPECT_NE(page.warning.find("cannot be followed"), std::string::npos) << page.warning;
    EXPECT_EQ(site.record()->outcome, RobotsOutcome::unreachable);
    EXPECT_EQ(site.server.witness().connections_to(canary), 0U);
    EXPECT_EQ(site.server.witness().request_count(), 1U);
    // A page's redirect likewise.
    site.clock->advance(std::chrono::hours(2));
    site.robots_txt(status(404));
    site.server.on("", "/led", redirect(302, location));
    const Response led = site.get("/led");
    EXPECT_EQ(led.source, ResponseSource::redirect_refused) << led.warning;
    EXPECT_EQ(site.server.witness().connections_to(canary), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Odd, RobotsScheme,
    testing::Values("file:///etc/passwd", "file://HERE/x", "ftp://HERE/robots.txt", "FTP://HERE/robots.txt",
                    "gopher://HERE/_GET", "data:text/plain,User-agent", "mailto:robot@HERE", "javascript:alert(1)",
                    "javascript://HERE/%0Aalert(1)", "ws://HERE/", "wss://HERE/", "ldap://HERE/", "dict://HERE/x",
                    "telnet://HERE/", "smb://HERE/x", "tftp://HERE/x", "rtsp://HERE/", "about:blank",
                    "blob:http://HERE/", "view-source:http://HERE/", "jar:http://HERE!/", "httpx://HERE/", "x:HERE",
                    "http://[::1", "http://[::1:80/", "http+unix://HERE/"),
    [](const auto& scheme) { return std::to_string(scheme.index) + '_' + as_test_name(scheme.param); });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
