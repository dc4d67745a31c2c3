// Which ports are requested: by the URL itself, by a redirect, by a robots.txt, by a sitemap.
#include <gtest/gtest.h>

#include <array>

#include <robotrules/sitemap.hpp>

#include "support/agent/loopback.hpp"
#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// "Bad port" of the Fetch standard, beyond 1023.
constexpr std::array bad_ports = {1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000,
                                  6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080};
constexpr std::array databases = {1433, 1521, 3306, 3389, 5432, 5900, 6379, 9200, 11211, 27017};

std::uint16_t as_port(int number) { return static_cast<std::uint16_t>(number); }

TEST(Ports, TheUsualOnesAreThoseOfHttpAndThoseAbove1023) {
  const ConnectionOptions usual;
  std::size_t permitted = 0;
  for (int port = 0; port <= 65'535; ++port) permitted += usual.permits_port(as_port(port)) ? 1 : 0;
  EXPECT_EQ(permitted, 2 + (65'536 - 1'024) - bad_ports.size() - databases.size());
  for (const int port : {80, 443, 1024, 8000, 8080, 8443, 65'535})
    EXPECT_TRUE(usual.permits_port(as_port(port))) << port;
  for (const int port : {1, 7, 22, 25, 53, 79, 81, 110, 444, 1023})
    EXPECT_FALSE(usual.permits_port(as_port(port))) << port;
  for (const int port : bad_ports) EXPECT_FALSE(usual.permits_port(as_port(port))) << port;
  for (const int port : databases) EXPECT_FALSE(usual.permits_port(as_port(port))) << port;
}

TEST(Ports, OthersArePermittedOneByOne) {
  ConnectionOptions more;
  more.extra_ports = {25, 6379};
  EXPECT_TRUE(more.permits_port(25));
  EXPECT_TRUE(more.permits_port(6379));
  EXPECT_TRUE(more.permits_port(80));
  EXPECT_FALSE(more.permits_port(26));
  ConnectionOptions only;
  only.ports = {8080};
  EXPECT_TRUE(only.permits_port(8080));
  EXPECT_FALSE(only.permits_port(80));
  only.extra_ports = {81};
  EXPECT_TRUE(only.permits_port(81));
}

TEST(Ports, AUrlWithAnotherIsRefusedBeforeItsRobotsTxtIsAskedFor) {
  RobotRig rig;
  for (const char* url : {"http://a.test:25/", "https://a.test:6379/x", "http://user:secret@a.test:6000/"}) {
    const Response page = rig.fetch(url);
    EXPECT_EQ(page.source, ResponseSource::port_refused) << url;
    EXPECT_EQ(page.code, 403);
    EXPECT_EQ(page.warning.find("secret"), std::string::npos) << page.warning;
    const RobotRig::Consulted answer = rig.consult(url);
    EXPECT_EQ(answer.access, Access::unknown) << url;
    EXPECT_NE(answer.note->warning.find("is not permitted"), std::string::npos) << answer.note->warning;
    EXPECT_EQ(answer.note->warning.find("secret"), std::string::npos) << answer.note->warning;
  }
  EXPECT_TRUE(
      rig.fetch("http://a.test:25/").warning.ends_with(": port 25 is not permitted"));  // flags are the command's
  EXPECT_TRUE(rig.transport->log().empty());

  RobotUAOptions options = undelayed();
  options.http.connection.extra_ports = {25};
  RobotRig wider(options);
  wider.site("http://a.test:25", "");
  EXPECT_EQ(wider.fetch("http://a.test:25/").code, 200);
}

class RefusedPorts : public LocalAgent {
 protected:
  static constexpr const char* redis = "http://a.test:6379/";
  // No name leads anywhere but to the server: nothing may even look for the address of this one.
  void SetUp() override {
    options.connection.resolve = [this](std::string_view, std::uint16_t asked) {
      if (asked == 6379) ++lookups;
      return std::vector<std::string>{"127.0.0.1"};
    };
  }
  int lookups = 0;
};

TEST_F(RefusedPorts, ARedirectDoesNotLeadThere) {
  server.on("", "/*", redirect(302, redis));
  const Response page = agent().get(url("/"));
  EXPECT_EQ(page.source, ResponseSource::port_refused) << page.warning;
  ASSERT_NE(page.previous, nullptr);
  EXPECT_EQ(page.previous->code, 302);
}

TEST_F(RefusedPorts, ARobotsTxtDoesNotLeadThere) {
  server.on("", "/robots.txt", redirect(301, std::string(redis) + "robots.txt"));
  const Response page = get("/");
  EXPECT_EQ(page.source, ResponseSource::robots_unreachable);
  EXPECT_NE(page.warning.find("port 6379 is not permitted"), std::string::npos) << page.warning;
}

TEST_F(RefusedPorts, ASitemapDoesNotLeadThere) {
  server.on("", "/robots.txt", reply("Sitemap: " + std::string(redis) + "map.xml\n"));
  const auto done = fetch_sitemaps(robot(), url(""), {}, [](const SitemapEntry&) { return true; });
  ASSERT_TRUE(done);
  ASSERT_EQ(done.value().sitemaps.size(), 1U);
  EXPECT_NE(done.value().sitemaps[0].message.find("port 6379 is not permitted"), std::string::npos);
  EXPECT_EQ(lookups, 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
