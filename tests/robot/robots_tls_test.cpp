// TLS that will not do: robots.txt is unreachable, no page is asked for, and nothing is tried without TLS.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using ServerTls = test::TlsOptions;

struct BadTls {
  std::string name;
  std::function<ServerTls(const ScriptedServer&)> options;
  bool lasts = true;  // the certificate is at fault
};

std::vector<BadTls> bad_tls() {
  const auto certified = [](std::function<Certificate(const TestCa&)> make) {
    return [make = std::move(make)](const ScriptedServer& server) {
      return ServerTls{.certificates = {make(server.ca())}};
    };
  };
  return {
      {"self_signed", certified([](const TestCa&) { return self_signed({.names = {"a.test"}}); })},
      {"unknown_CA", certified([](const TestCa&) { return TestCa("somebody else").issue({.names = {"a.test"}}); })},
      {"expired",
       certified([](const TestCa& ca) { return ca.issue({.names = {"a.test"}, .from = -48h, .until = -24h}); })},
      {"not_yet_valid",
       certified([](const TestCa& ca) { return ca.issue({.names = {"a.test"}, .from = 24h, .until = 48h}); })},
      {"wrong_host", certified([](const TestCa& ca) { return ca.issue({.names = {"other.test"}}); })},
      {"a_parent_domain_only", certified([](const TestCa& ca) { return ca.issue({.names = {"test"}}); })},
      {"handshake_cut_at_once", [](const ScriptedServer&) { return ServerTls{.cut_handshake = 0}; }, false},
      {"handshake_cut_in_its_first_record", [](const ScriptedServer&) { return ServerTls{.cut_handshake = 3}; }, false},
      {"handshake_cut_within_the_certificate", [](const ScriptedServer&) { return ServerTls{.cut_handshake = 400}; },
       false},
      {"TLS_1_0_only",
       [](const ScriptedServer&) { return ServerTls{.least = TlsVersion::tls1_0, .most = TlsVersion::tls1_0}; }, false},
      {"TLS_1_1_only",
       [](const ScriptedServer&) { return ServerTls{.least = TlsVersion::tls1_1, .most = TlsVersion::tls1_1}; }, false},
  };
}

class RobotsBadTls : public testing::TestWithParam<BadTls> {};

TEST_P(RobotsBadTls, IsUnreachableAndNotTriedWithout) {
  Loopback site;
  ScriptedServer& server = site.server;
  const std::uint16_t port = server.open({.tls = GetParam().options(server)});
  // The same site without TLS, where a robot that gives in would go.
  const std::uint16_t plain = server.open({.address = "127.0.0.2"});
  server.on("", "/*", reply("Welcome"));
  site.options.connection.resolve = [port](std::string_view, std::uint16_t asked) {
    return std::vector<std::string>{asked == port ? "127.0.0.1" : "127.0.0.2"};
  };
  const std::string url = url_of(port, "/x", "a.test", "https");
  const Response page = site.robot().get(url);
  EXPECT_EQ(page.source, ResponseSource::robots_unreachable) << page.warning;
  EXPECT_EQ(page.cause, GetParam().lasts ? FailureCause::certificate_not_verified : FailureCause::none) << page.warning;
  const auto record = site.record_of(url);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->outcome, RobotsOutcome::unreachable);
  EXPECT_EQ(record->status, 0);
  EXPECT_EQ(server.witness().request_count(), 0U);
  EXPECT_EQ(server.witness().connections_to(plain), 0U);
  // Nor does a plain site that leads to a bad one get anywhere.
  site.clock->advance(1min);  // a site without an answer pauses
  server.on("plain.test", "/robots.txt", redirect(302, url_of(port, "/robots.txt", "a.test", "https")));
  const Response led = site.robot().get(url_of(plain, "/x", "plain.test"));
  EXPECT_EQ(led.source, ResponseSource::robots_unreachable) << led.warning;
  EXPECT_EQ(server.witness().requests("/x").size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(By, RobotsBadTls, testing::ValuesIn(bad_tls()),
                         [](const auto& bad) { return bad.param.name; });

TEST(RobotsTls, PlainHttpOnAnHttpsPortIsUnreachable) {
  Loopback site;
  site.robots_txt(reply("Welcome"));
  site.options.connection.connect_timeout = 500ms;  // the server waits for the end of what it takes for a head
  EXPECT_EQ(site.robot().get(url_of(site.port, "/x", "a.test", "https")).source, ResponseSource::robots_unreachable);
  EXPECT_EQ(site.times("/x"), 0U);
}

// Anybody between can end a connection: a body that says neither its length nor its last chunk may be cut, unless the
// server takes its leave.
class RobotsTlsEnd : public testing::TestWithParam<bool> {
 protected:
  const bool farewell_ = GetParam();
  Handler ended(std::string bytes) const {
    Script script;
    script.send(std::move(bytes));
    return farewell_ ? script : script.cut();
  }
};

constexpr std::string_view without_length = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";

TEST_P(RobotsTlsEnd, OfABodyThatTheCloseAloneEndsNeedsAFarewell) {
  Loopback site(true);
  site.robots_txt(ended(std::string(without_length) + no_x));
  const Response page = site.get("/y");
  EXPECT_EQ(page.source, farewell_ ? ResponseSource::server : ResponseSource::robots_unreachable) << page.warning;
  EXPECT_EQ(site.get("/x").source, farewell_ ? ResponseSource::robots_denied : ResponseSource::robots_unreachable);
  EXPECT_EQ(site.times("/y"), farewell_ ? 1U : 0U);
  EXPECT_EQ(site.times("/x"), 0U);
}

TEST_P(RobotsTlsEnd, OfAnEmptyBodyToo) {
  Loopback site(true);
  site.robots_txt(ended(std::string(without_length)));
  EXPECT_EQ(site.get("/y").source, farewell_ ? ResponseSource::server : ResponseSource::robots_unreachable);
}

// The connection that carried an answer before may be the one that is cut.
TEST_P(RobotsTlsEnd, IsThatOfItsOwnConnection) {
  Loopback site(true);
  site.server.on("said.test", "/robots.txt", Script().send(std::string(without_length) + no_x));
  site.server.on("first.test", "/robots.txt", redirect(302, site.url("/rules", "first.test")));
  site.server.on("first.test", "/rules", ended(std::string(without_length) + no_x));
  EXPECT_EQ(site.get("/y", "said.test").source, ResponseSource::server);
  EXPECT_EQ(site.get("/y", "first.test").source,
            farewell_ ? ResponseSource::server : ResponseSource::robots_unreachable);
  const std::vector<SeenRequest> seen = site.server.witness().requests();
  EXPECT_EQ(seen.at(2).connection, seen.at(3).connection) << "robots.txt and where it leads";
}

TEST_P(RobotsTlsEnd, DoesNotMatterForAPage) {
  Loopback site(true);
  site.robots_txt(reply(no_x));
  site.server.on("", "/y", ended(std::string(without_length) + "text"));
  const Response page = site.get("/y");
  EXPECT_EQ(page.source, ResponseSource::server) << page.warning;
  EXPECT_EQ(page.body, "text");
}

INSTANTIATE_TEST_SUITE_P(By, RobotsTlsEnd, testing::Bool(),
                         [](const auto& info) { return info.param ? "close_notify" : "bare_FIN"; });

TEST(RobotsTls, WithoutCloseNotifyABodyOfKnownLengthIsWhole) {
  Loopback site(true);
  site.robots_txt(Script().send(bytes_of(reply(no_x))).cut());
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
}

TEST(RobotsTls, AGoodCertificateWillDo) {
  Loopback site(true);
  site.robots_txt(reply(no_x));
  EXPECT_EQ(site.get("/y").code, 200);
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
