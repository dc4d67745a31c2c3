// A status that decides alone is not turned by its body, and the body of a success is a robots.txt or it is not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/agent/loopback.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

struct Fault {
  std::string name;
  std::string fields;
  std::string body;
};

const std::vector<Fault> faults = {
    {"text that gzip does not pack", "Content-Encoding: gzip\r\nContent-Length: 4\r\n", "text"},
    {"half a gzip", "Content-Encoding: gzip\r\nContent-Length: 10\r\n",
     std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10)},
    {"less than its length", "Content-Length: 99\r\n", "text"},
    {"chunks that end early", "Transfer-Encoding: chunked\r\n", "63\r\ntext"},
    {"a chunk that is none", "Transfer-Encoding: chunked\r\n", "no chunk\r\n"},
    {"an unknown coding", "Content-Encoding: x-secret\r\nContent-Length: 4\r\n", "text"},
    {"three codings", "Content-Encoding: gzip, gzip, gzip\r\nContent-Length: 4\r\n", "text"},
};

std::string answer(int status, const Fault& fault, const std::string& fields = {}) {
  return "HTTP/1.1 " + std::to_string(status) + " Said\r\n" + fields + fault.fields + "\r\n" + fault.body;
}

class HeadDecides : public testing::TestWithParam<Fault> {
 protected:
  Loopback site;
};

TEST_P(HeadDecides, OfARobotsTxtThatIsNotThere) {
  for (const int status : {400, 401, 403, 404, 410}) {
    const std::string host = "s" + std::to_string(status) + ".test";
    site.robots_txt(Script().send(answer(status, GetParam())), host);
    const Response page = site.get("/y", host);
    EXPECT_EQ(page.body, "page y") << status << ": " << page.warning;
    ASSERT_NE(site.record(host), nullptr);
    EXPECT_EQ(site.record(host)->outcome, RobotsOutcome::unavailable);
    EXPECT_EQ(site.record(host)->status, status);
  }
}

TEST_P(HeadDecides, OfARobotsTxtThatIsElsewhere) {
  site.robots_txt(Script().send(answer(301, GetParam(), "Location: /there\r\n")), "a.test");
  site.server.on("a.test", "/there", reply(no_x));
  EXPECT_EQ(site.get("/y").body, "page y");
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
}

TEST_P(HeadDecides, OfAPage) {
  site.robots_txt(reply(""));
  for (const int status : {304, 404, 500}) {
    const std::string path = "/" + std::to_string(status);
    site.server.on("", path, Script().send(answer(status, GetParam())));
    const Response page = site.get(path);
    EXPECT_EQ(page.source, ResponseSource::server) << status << ": " << page.warning;
    EXPECT_EQ(page.code, status);
    EXPECT_FALSE(page.truncated);
  }
  site.server.on("", "/moved", Script().send(answer(302, GetParam(), "Location: /y\r\n")));
  EXPECT_EQ(site.get("/moved").body, "page y");
  site.server.on("", "/busy", Script().send(answer(429, GetParam(), "Retry-After: 77\r\n")));
  const Response busy = site.get("/busy");
  EXPECT_EQ(busy.code, 429) << busy.warning;
  const auto wait = site.robot().host_wait(site.url("/"));
  ASSERT_TRUE(wait);
  EXPECT_GT(wait.value(), 70s);
}

// What is not whole is no page: the other side of the same coin.
TEST_P(HeadDecides, NotOfASuccess) {
  if (GetParam().name == "an unknown coding") GTEST_SKIP() << "a page may have it";
  site.robots_txt(reply(""));
  site.server.on("", "/page", Script().send(answer(200, GetParam())));
  EXPECT_TRUE(site.get("/page").is_synthetic());
  site.robots_txt(Script().send(answer(200, GetParam())), "b.test");
  EXPECT_EQ(site.get("/y", "b.test").source, ResponseSource::robots_unreachable);
}

INSTANTIATE_TEST_SUITE_P(Before, HeadDecides, testing::ValuesIn(faults),
                         [](const auto& info) { return as_test_name(info.param.name); });

// Neither a long body of a redirect nor one that does not end holds up what it leads to.
TEST(HeadOfARedirect, IsNotHeldUpByItsBody) {
  Loopback site;
  const std::string moved = "HTTP/1.1 302 Found\r\nLocation: /y\r\n";
  site.robots_txt(reply(""));
  site.server.on("", "/long",
                 Script().send(moved + "Content-Length: 99999999\r\n\r\n").repeat(std::string(10'000, 'x')));
  const Gate never;
  site.server.on("", "/slow", Script().send(moved + "Content-Length: 9\r\n\r\n").wait(never));
  for (const char* path : {"/long", "/slow"}) {
    Request request{.url = site.url(path), .record = true};
    const Response page = site.robot().request(request);
    EXPECT_EQ(page.body, "page y") << page.warning;
    ASSERT_NE(page.previous, nullptr);
    ASSERT_NE(page.previous->recording, nullptr);
    EXPECT_NE(page.previous->recording->cut, RecordingCut::none);
    EXPECT_LE(page.previous->bytes_received, 128U * 1024);
  }
  site.robots_txt(Script().send("HTTP/1.1 301 Moved\r\nLocation: /there\r\nContent-Length: 9\r\n\r\n").wait(never),
                  "b.test");
  site.server.on("b.test", "/there", reply(no_x));
  EXPECT_EQ(site.get("/x", "b.test").source, ResponseSource::robots_denied);
  never.open();
}

struct Coding {
  std::string value;
  bool is_known;
};

TEST(CodingsOfRobotsTxt, ThatAreNoneChangeNothing) {
  for (const Coding& coding : std::vector<Coding>{{"identity", true},
                                                  {"none", true},
                                                  {"binary", true},
                                                  {"7bit", true},
                                                  {"8bit", true},
                                                  {"UTF-8", true},
                                                  {"utf8", true},
                                                  {"ISO-8859-1", true},
                                                  {"identity, none", true},
                                                  {"utf-16", false},
                                                  {"compress", false},
                                                  {"gzip, x", false}}) {
    Loopback site;
    Reply robots = reply(no_x);
    robots.headers.push_back({"Content-Encoding", coding.value});
    site.robots_txt(robots);
    EXPECT_EQ(site.get("/x").source,
              coding.is_known ? ResponseSource::robots_denied : ResponseSource::robots_unreachable)
        << coding.value;
    EXPECT_EQ(site.get("/y").source, coding.is_known ? ResponseSource::server : ResponseSource::robots_unreachable)
        << coding.value;
  }
}

struct Body {
  std::string name;
  std::string answer;  // after "HTTP/1.1 "
  bool is_file;
};

TEST(BodyOfRobotsTxt, IsAFileOrNot) {
  const std::string packed_file = packed(test::Coding::gzip, no_x);
  const auto whole = [](const std::string& head, const std::string& body) {
    return head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  const std::vector<Body> bodies = {
      {"gzip without the field", whole("200 OK\r\n", packed_file), true},
      {"half a gzip without the field", whole("200 OK\r\n", packed_file.substr(0, packed_file.size() / 2)), false},
      {"no gzip after its first bytes", whole("200 OK\r\n", "\x1f\x8b" + no_x), false},
      {"202 with rules", whole("202 Accepted\r\n", no_x), true},
      {"202 with nothing", whole("202 Accepted\r\n", ""), false},
      {"202 with a page", whole("202 Accepted\r\n", "<html><body style='color: red'>Wait</body></html>"), false},
      {"202 with rules and a challenge", whole("202 Accepted\r\nx-amzn-waf-action: challenge\r\n", no_x), false},
      {"a line that is no field", whole("200 OK\r\nno field\r\n", no_x), false},
      {"a line that is no field, 404", whole("404 Not Found\r\nno field\r\n", ""), false},
      {"a fold", whole("200 OK\r\nX-A: b\r\n c\r\n", no_x), true},
      {"Transfer-Encoding: identity", whole("200 OK\r\nTransfer-Encoding: identity\r\n", no_x), true},
  };
  for (const Body& body : bodies) {
    Loopback site;
    site.robots_txt(Script().send("HTTP/1.1 " + body.answer).keep());
    const auto closed = ResponseSource::robots_unreachable;
    EXPECT_EQ(site.get("/x").source, body.is_file ? ResponseSource::robots_denied : closed) << body.name;
    EXPECT_EQ(site.get("/y").source, body.is_file ? ResponseSource::server : closed) << body.name;
  }
}

// The limit on the file holds for what is unpacked.
TEST(BodyOfRobotsTxt, ThatIsUnpackedHasTheLimitOfAFile) {
  Loopback site;
  std::string text = no_x;
  while (text.size() < 200'000) text += "# a comment of the file\n";
  site.robots_txt(reply(packed(test::Coding::gzip, text)));
  site.policy().body_limit = 4'000;
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
  ASSERT_NE(site.record(), nullptr);
  EXPECT_TRUE(site.record()->truncated);
  EXPECT_LE(site.record()->body->size(), 4'000U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
