// Servers that refuse HTTP/1.1: their robots.txt comes over HTTP/2 if that was asked for, and nothing opens them.
#include <gtest/gtest.h>

#include <string>

#include "support/agent/loopback.hpp"
#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

const WireReply over_http2 = {
    .headers = {{"Content-Length", std::to_string(no_x.size())}}, .body = no_x, .http_version = 20};

struct Refusal {
  const char* name;
  WireReply reply;
};

class RefusesHttp1 : public testing::TestWithParam<Refusal> {
 protected:
  static RobotUAOptions options(bool http2) {
    RobotUAOptions options;
    options.http.connection.http2 = http2;
    return options;
  }
};

TEST_P(RefusesHttp1, ItsRobotsTxtComesOverHttp2) {
  RobotRig rig(options(true));
  rig.transport->on("http://a.test/robots.txt", {GetParam().reply, over_http2});
  EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(rig.fetch("http://a.test/y").code, 200);
  const auto asked = rig.transport->log("http://a.test/robots.txt");
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_TRUE(asked[0].http1);
  EXPECT_FALSE(asked[1].http1);
}

TEST_P(RefusesHttp1, OnlyAWholeFileCounts) {
  for (const std::string& length : {std::string(), std::to_string(no_x.size() + 1)}) {
    RobotRig rig(options(true));
    WireReply cut = over_http2;
    cut.headers = {};
    if (!length.empty()) cut.headers.add("Content-Length", length);
    rig.transport->on("http://a.test/robots.txt", {GetParam().reply, cut});
    EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_unreachable);
    EXPECT_EQ(rig.transport->log("http://a.test/robots.txt").size(), 2U);
    EXPECT_TRUE(rig.pages().empty());
  }
}

TEST_P(RefusesHttp1, OverHttp2TooIsTheEnd) {
  RobotRig rig(options(true));
  rig.transport->on("http://a.test/robots.txt", GetParam().reply);
  EXPECT_EQ(rig.fetch("http://a.test/y").source, ResponseSource::robots_unreachable);
  EXPECT_EQ(rig.transport->log("http://a.test/robots.txt").size(), 2U);
}

TEST_P(RefusesHttp1, WithoutTheOptionTheMessageNamesIt) {
  RobotRig rig(options(false));
  rig.transport->on("http://a.test/robots.txt", GetParam().reply);
  const Response page = rig.fetch("http://a.test/y");
  EXPECT_EQ(page.source, ResponseSource::robots_unreachable);
  EXPECT_NE(page.warning.find("ConnectionOptions::http2 (--http2) asks for HTTP/2"), std::string::npos) << page.warning;
  EXPECT_EQ(rig.transport->log("http://a.test/robots.txt").size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(By, RefusesHttp1,
                         testing::Values(Refusal{"alert", failure(TransferError::no_http1)},
                                         Refusal{"status426", {.status = 426}}, Refusal{"status505", {.status = 505}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(RefusesHttp1OnTheWire, TheAlertIsSeen) {
  Loopback site;
  const std::uint16_t port = site.server.open({.tls = test::TlsOptions{.alpn = {"h2"}, .alert_without_match = true}});
  site.options.connection.tls.ca_file = site.server.ca_file();
  const Response page = site.agent().get(url_of(port, "/y", "a.test", "https"));
  EXPECT_EQ(page.source, ResponseSource::tls) << page.warning;
  EXPECT_NE(page.warning.find("(--http2) asks for HTTP/2"), std::string::npos) << page.warning;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
