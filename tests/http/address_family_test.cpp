// ConnectionOptions::family: which addresses of a host are connected to.
#include <exception>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class Families : public LocalAgent {
 protected:
  void SetUp() override {
    server.on("", "/*", reply("here"));
    try {
      server.open({.address = "::1", .port = port});
    } catch (const std::exception&) {
      GTEST_SKIP() << "this machine has no IPv6 on loopback";
    }
    EXPECT_TRUE(options.connection.guard.allow("::1/128"));
    options.connection.resolve = [](std::string_view host, std::uint16_t) {
      return host == "a.test" ? std::vector<std::string>{"::1", "127.0.0.1"} : std::vector<std::string>();
    };
  }
  // The address of the server that got the last request; empty: none did.
  std::string reached() const { return count() == 0 ? "" : seen(count() - 1).ends.local_address; }
};

TEST_F(Families, OnlyAddressesOfTheWantedOneAreConnectedTo) {
  options.connection.family = AddressFamily::ipv4;
  EXPECT_EQ(agent().get(url("/")).body, "here");
  EXPECT_EQ(reached(), "127.0.0.1");
  options.connection.family = AddressFamily::ipv6;
  EXPECT_EQ(agent().get(url("/")).body, "here");
  EXPECT_EQ(reached(), "::1");
  EXPECT_EQ(agent().get(url("/", "localhost")).body, "here") << "whose addresses libcurl itself knows";
  EXPECT_EQ(reached(), "::1");
}

TEST_F(Families, AnAddressOfTheOtherOneIsALastingFailure) {
  const struct {
    AddressFamily family;
    std::string host;
    std::string lacks;
  } cases[] = {{AddressFamily::ipv6, "127.0.0.1", "the host 127.0.0.1 has no IPv6 address"},
               {AddressFamily::ipv4, "[::1]", "the host [::1] has no IPv4 address"}};
  for (const auto& one : cases) {
    options.connection.family = one.family;
    const Response response = agent().get(url("/", one.host));
    EXPECT_EQ(response.cause, FailureCause::name_unknown) << one.host;
    EXPECT_NE(response.warning.find(one.lacks), std::string::npos) << response.warning;
  }
  EXPECT_EQ(server.witness().connection_count(), 0U);
}

// names_cache_test.cpp gives names under watched.test the address 127.0.0.1 and no other.
TEST_F(Families, ANameThatHasNoneOfTheWantedOneIsALastingFailure) {
  options.connection.resolve = nullptr;
  options.connection.family = AddressFamily::ipv4;
  EXPECT_EQ(agent().get(url("/", "four.watched.test")).body, "here");
  options.connection.family = AddressFamily::ipv6;
  const Response response = agent().get(url("/", "four.watched.test"));
  EXPECT_EQ(response.cause, FailureCause::name_unknown);
  EXPECT_NE(response.warning.find(" no IPv6 address"), std::string::npos) << response.warning;
}

TEST_F(Families, ARobotThatPacesByAddressKeepsToTheWantedOne) {
  robot_options.pace.by_address = true;
  for (const auto& [family, address] :
       {std::pair(AddressFamily::ipv4, "127.0.0.1"), std::pair(AddressFamily::ipv6, "::1")}) {
    for (const bool is_asked_of_the_system : {false, true}) {
      options.connection.family = family;
      RobotUA robot = new_robot();
      EXPECT_EQ(robot.get(url("/", is_asked_of_the_system ? "localhost" : "a.test")).body, "here");
      EXPECT_EQ(reached(), address);
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
