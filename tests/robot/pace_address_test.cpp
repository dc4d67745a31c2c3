// Pace::by_address: all hosts at an IP address count as one.
#include <gtest/gtest.h>

#include <future>

#include "http/curl/curl_transport.hpp"

#include "support/agent/loopback.hpp"
#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

RobotUAOptions by_address(std::chrono::milliseconds delay) {
  RobotUAOptions options = delayed(delay);
  options.pace.by_address = true;
  return options;
}

TEST(PaceByAddress, TheHostsOfAnAddressAreOne) {
  for (const bool on : {false, true}) {
    RobotUAOptions options = by_address(10s);
    options.pace.by_address = on;
    RobotRig rig(options);
    rig.transport->resolves("a.test", {"8.8.8.8"});
    rig.transport->resolves("b.test", {"8.8.8.8"});
    rig.transport->resolves("c.test", {"8.8.4.4"});
    for (const char* url : {"http://a.test/", "https://b.test/", "http://c.test/", "http://unknown.test/"}) {
      rig.start(url);
    }
    ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 4; }));
    EXPECT_EQ(rig.since_start(), on ? 10s : 0s);
    for (const char* other : {"http://c.test", "http://unknown.test"}) {
      EXPECT_EQ(rig.pages(other).at(0).since, 0s) << other;
    }
    EXPECT_EQ(rig.transport->lookups() > 0, on) << "no name is resolved where nothing hangs on it";
    EXPECT_EQ(rig.store->gate("ip:8.8.8.8").value().visits, on ? 2U : 0U);
  }
}

TEST(PaceByAddress, TheConnectionGoesToTheAddressThatTheGateWasAskedFor) {
  RobotRig rig(by_address(120s));
  rig.transport->resolves("a.test", {"10.0.0.1", "8.8.8.8"});  // the guard lets only the second through
  rig.fetch("http://a.test/1");
  rig.transport->resolves("a.test", {"8.8.4.4"});
  rig.loop->advance(61s);
  rig.fetch("http://a.test/2");
  std::vector<std::vector<std::string>> addresses;
  for (const WireRequest& request : rig.transport->log()) addresses.push_back(request.addresses);
  EXPECT_EQ(addresses, (std::vector<std::vector<std::string>>{{"8.8.8.8"}, {"8.8.8.8"}, {"8.8.4.4"}}))
      << "robots.txt and two pages";
}

TEST(PaceByAddress, TheGateIsAskedForTheFirstFourPermittedAddresses) {
  RobotRig rig(by_address(10s));
  rig.transport->resolves("a.test",
                          {"10.0.0.1", "8.8.8.1", "8.8.8.1", "8.8.8.2", "2001:4860:4860::8888", "8.8.8.4", "8.8.8.5"});
  rig.transport->resolves("b.test", {"8.8.8.4"});
  rig.transport->resolves("c.test", {"8.8.8.5"});
  for (const char* url : {"http://a.test/", "http://b.test/", "http://c.test/"}) rig.start(url);
  ASSERT_TRUE(rig.loop->until([&] { return rig.answered() == 3; }));
  const std::vector<std::string> used = {"8.8.8.1", "8.8.8.2", "2001:4860:4860::8888", "8.8.8.4"};
  EXPECT_EQ(rig.pages("http://a.test").at(0).addresses, used);
  for (const std::string& address : used) EXPECT_GE(rig.store->gate("ip:" + address).value().visits, 1U) << address;
  EXPECT_EQ(rig.pages("http://b.test").at(0).since, 10s) << "b shares an address with a";
  EXPECT_EQ(rig.pages("http://c.test").at(0).since, 0s);
}

TEST(PaceByAddress, WhoNeedsNoProxyHasAnAddress) {
  RobotUAOptions options = by_address(10s);
  options.http.connection.proxy = {.http = "http://proxy.test:3128", .exempt = {"a.test"}};
  RobotRig rig(options);
  rig.transport->resolves("a.test", {"8.8.8.8"});
  rig.fetch("http://a.test/1");
  EXPECT_EQ(rig.pages().at(0).addresses, std::vector<std::string>{"8.8.8.8"});
}

TEST(PaceByAddress, ANameIsKeptForAMinute) {
  RobotRig rig(by_address(10s));
  rig.transport->resolves("a.test", {"8.8.8.8"});
  for (int i = 0; i < 6; ++i) rig.fetch("http://a.test/" + std::to_string(i));
  EXPECT_EQ(rig.transport->lookups(), 1U);
  rig.loop->advance(61s);
  rig.fetch("http://a.test/7");
  EXPECT_EQ(rig.transport->lookups(), 2U);
}

TEST(PaceByAddress, APenaltyOfOneHostHoldsForRobotsTxtOfAnother) {
  RobotRig rig(by_address(0s));
  rig.transport->resolves("a.test", {"8.8.8.8"});
  rig.transport->resolves("b.test", {"8.8.8.8"});
  rig.transport->on("http://a.test/1", {.status = 429, .headers = {{"Retry-After", "100"}}});
  rig.fetch("http://a.test/1");
  rig.fetch("http://b.test/1");
  EXPECT_EQ(rig.transport->log("http://b.test/robots.txt").at(0).since, 100s);
}

TEST(PaceByAddress, EachHopOfARedirectGoesToItsOwnAddress) {
  RobotRig rig(by_address(10s));
  rig.transport->resolves("a.test", {"8.8.8.8"});
  rig.transport->resolves("b.test", {"8.8.4.4"});
  rig.transport->on("http://a.test/1", {.status = 302, .headers = {{"Location", "http://b.test/2"}}});
  EXPECT_EQ(rig.fetch("http://a.test/1").code, 200);
  EXPECT_EQ(rig.pages("http://a.test").at(0).addresses, std::vector<std::string>{"8.8.8.8"});
  EXPECT_EQ(rig.pages("http://b.test").at(0).addresses, std::vector<std::string>{"8.8.4.4"});
}

TEST(PaceByAddress, WhatAProxyResolvesHasNoAddress) {
  RobotUAOptions options = by_address(10s);
  options.http.connection.proxy.http = "http://proxy.test:3128";
  RobotRig rig(options);
  rig.transport->resolves("a.test", {"8.8.8.8"});
  rig.fetch("http://a.test/1");
  EXPECT_EQ(rig.transport->lookups(), 0U);
  EXPECT_EQ(rig.pages().at(0).addresses, std::vector<std::string>{});
}

TEST(PaceByAddress, ARequestThatIsGivenUpMeanwhileLeavesNothing) {
  RobotRig rig(by_address(10s));
  rig.transport->resolves("a.test", {"8.8.8.8"});
  rig.site("http://a.test", "");
  rig.fetch("http://a.test/1");
  rig.loop->advance(2min);
  const std::size_t second = rig.start("http://a.test/2");
  rig.pending(second).cancel();
  rig.loop->run();
  EXPECT_EQ(rig.answer(second).source, ResponseSource::cancelled);
  EXPECT_EQ(rig.fetch("http://a.test/3").code, 200);
  EXPECT_EQ(rig.store->gate("ip:8.8.8.8").value().in_flight, 0U);
}

// On the wire: both names are at one server, at different addresses of its machine.
TEST(PaceByAddress, TheSocketGoesThereToo) {
  Loopback site;
  site.robot_options.pace.by_address = true;
  const std::uint16_t other = site.server.open({.address = "127.0.0.2", .port = site.port});
  ASSERT_EQ(other, site.port);
  site.robots_txt(reply(no_x));
  site.server.on("", "/y", reply("page"));
  auto at = std::make_shared<std::string>("127.0.0.1");
  site.options.connection.resolve = [at](std::string_view, std::uint16_t) { return std::vector{*at}; };
  const Response page = site.get("/y");
  EXPECT_EQ(page.body, "page") << page.warning;
  EXPECT_EQ(page.peer, "127.0.0.1:" + std::to_string(site.port));
  EXPECT_EQ(site.robot().rules()->store()->gate("ip:127.0.0.1").value().visits, 1U);
}

// An address that does not listen lost the site.
TEST(PaceByAddress, TheNextAddressIsTried) {
  Loopback site;
  site.robot_options.pace.by_address = true;
  site.robots_txt(reply(no_x));
  site.options.connection.resolve = [](std::string_view, std::uint16_t) {
    return std::vector<std::string>{"127.0.0.3", "127.0.0.1"};
  };
  const Response page = site.get("/y");
  EXPECT_EQ(page.body, "page y") << page.warning;
  for (const char* key : {"ip:127.0.0.3", "ip:127.0.0.1"}) {
    EXPECT_EQ(site.robot().rules()->store()->gate(key).value().visits, 1U) << key;
  }
}

TEST(PaceByAddress, AnAddressInTheUrlIsItsOwn) {
  Loopback site;
  site.robot_options.pace.by_address = true;
  ASSERT_TRUE(site.options.connection.guard.allow("::1"));
  const std::uint16_t v6 = site.server.listen("::1");
  for (const std::string& url : {url_of(v6, "/y", "[::1]"), site.url("/y", "127.0.0.1")}) {
    const Response page = site.robot().get(url);
    EXPECT_EQ(page.body, "page y") << page.warning;
  }
}

// A connection that is kept may go to an address that the host has no more.
TEST(PaceByAddress, AKeptConnectionToAnotherAddressIsNotUsed) {
  Loopback site;
  ASSERT_EQ(site.server.open({.address = "127.0.0.2", .port = site.port}), site.port);
  class Fixed final : public TransferHandler {
   public:
    bool head_line(int, std::string_view, int) override { return true; }
    bool field(std::string_view) override { return true; }
    bool head_end() override { return true; }
    bool data(std::string_view) override { return true; }
    void done(const Done& how) override { ended.set_value(how); }
    std::promise<Done> ended;
  };
  const auto context = std::make_shared<boost::asio::io_context>();
  agent::CurlTransport transport(context);
  std::vector<std::string> peers;
  for (const std::string address : {"127.0.0.1", "127.0.0.1", "127.0.0.2"}) {
    Fixed handler;
    auto ended = handler.ended.get_future();
    Transfer transfer;
    transfer.method = "GET";
    transfer.url = site.url("/y");
    transfer.connection = std::make_shared<ConnectionOptions>(site.options.connection);
    transfer.addresses = {address};
    transport.start(std::move(transfer), handler);
    while (ended.wait_for(0s) != std::future_status::ready) context->run_one();
    peers.push_back(ended.get().peer);
  }
  const std::string of_port = ':' + std::to_string(site.port);
  EXPECT_EQ(peers, (std::vector<std::string>{"127.0.0.1" + of_port, "127.0.0.1" + of_port, "127.0.0.2" + of_port}));
  EXPECT_EQ(site.server.witness().connections().size(), 2U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
