// The end of a body in HTTP/2: libcurl takes the reset of a stream for it, so only its Content-Length proves it.
#include "support/agent/robot_rig.hpp"

#include <gtest/gtest.h>

namespace robotrules::test::THIS_FILE {
namespace {

struct End {
  const char* name;
  WireReply reply;
  int code = 200;
  bool is_unknown = false;
  const char* method = "GET";
};

class Http2End : public testing::TestWithParam<End> {};

TEST_P(Http2End, OfAPage) {
  RobotRig rig;
  WireReply reply = GetParam().reply;
  reply.http_version = 20;
  rig.transport->on("http://a.test/page", reply);
  const Response page = rig.fetch(request_to("http://a.test/page", GetParam().method));
  EXPECT_EQ(page.code, GetParam().code) << page.warning;
  EXPECT_EQ(page.is_synthetic(), GetParam().code == 500);
  EXPECT_EQ(page.end_unknown, GetParam().is_unknown);
  if (page.code == 500) {
    EXPECT_EQ(page.status_line(), "500 The connection broke");
    EXPECT_NE(page.warning.find("ended after 4 of 9 bytes"), std::string::npos) << page.warning;
  }
}

INSTANTIATE_TEST_SUITE_P(
    With, Http2End,
    testing::Values(End{"all_of_its_length", {.headers = {{"Content-Length", "4"}}, .body = "page"}},
                    End{"less_than_its_length", {.headers = {{"Content-Length", "9"}}, .body = "page"}, 500},
                    End{"no_length", {.body = "page"}, 200, true}, End{"no_length_and_no_body", {}},
                    End{"no_length_of_a_404", {.status = 404, .body = "page"}, 404, true},
                    End{"the_length_of_what_HEAD_has_not", {.headers = {{"Content-Length", "9"}}}, 200, false, "HEAD"},
                    End{"the_length_of_what_304_has_not", {.status = 304, .headers = {{"Content-Length", "9"}}}, 304}),
    [](const auto& info) { return std::string(info.param.name); });

// A transport that ignores Transfer::http1.
TEST(Http2EndOfRobotsTxt, ThatIsNotCertainOpensNothing) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {.body = "User-agent: *\n", .http_version = 20});
  EXPECT_EQ(rig.fetch("http://a.test/x").source, ResponseSource::robots_unreachable);
  rig.transport->on("http://b.test/robots.txt",
                    {.headers = {{"Content-Length", "99"}}, .body = "User-agent: *\n", .http_version = 20});
  EXPECT_EQ(rig.fetch("http://b.test/x").source, ResponseSource::robots_unreachable);
  EXPECT_TRUE(rig.pages().empty());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
