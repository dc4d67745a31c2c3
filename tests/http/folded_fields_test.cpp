// Header fields of several lines (RFC 9112 section 5.2): each fold is a blank.
#include <gtest/gtest.h>

#include <string>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class FoldedFields : public LocalAgent {
 protected:
  // Answers with these lines, and with a body of two bytes.
  void page(std::string_view path, const std::string& lines, const std::string& status = "200 OK") {
    server.on("", path, Script().send("HTTP/1.1 " + status + "\r\n" + lines + "\r\nok"));
  }
};

TEST_F(FoldedFields, AFoldIsABlank) {
  const struct {
    std::string lines;
    std::string value;  // of X-Field
  } cases[] = {{"X-Field: a\r\n b\r\n", "a b"},
               {"X-Field:\r\n b\r\n", "b"},
               {"X-Field:  a \t\r\n\t  b  \r\n c\r\n", "a b c"},
               {"X-Field: a\r\n \r\n b\r\n", "a b"},
               {"X-Field: a\r\n X-Field: b\r\n", "a X-Field: b"},
               {"X-Field: a\n b\n", "a b"}};
  for (const auto& one : cases) {
    page("/x", one.lines + "Content-Length: 2\r\n");
    const Response response = agent().get(url("/x"));
    EXPECT_EQ(response.body, "ok") << one.lines << response.warning;
    EXPECT_EQ(response.headers.get("X-Field"), one.value) << one.lines;
    EXPECT_EQ(response.headers.get("Content-Length"), "2") << one.lines;
  }
}

TEST_F(FoldedFields, TheFoldsOfAnInterimHeadAreNotThoseOfTheFinalOne) {
  server.on("", "/x",
            Script()
                .send("HTTP/1.1 103 Hints\r\nX-Field: a\r\n\r\nHTTP/1.1 200 OK\r\nX-Field:\r\n b\r\n"
                      "Content-Length: 2\r\n\r\nok")
                .keep());
  const Response response = agent().get(url("/x"));
  EXPECT_EQ(response.headers.all("X-Field"), std::vector<std::string_view>{"b"}) << response.warning;
}

TEST_F(FoldedFields, AFoldedLengthOrTransferCodingIsRefused) {
  for (const std::string lines : {"Content-Length: 2\r\n 2\r\n", "Content-Length: 2\r\n \r\n",
                                  "Transfer-Encoding:\r\n chunked\r\n", "transfer-encoding: chunked\r\n , gzip\r\n"}) {
    page("/x", lines);
    const Response response = agent().get(url("/x"));
    EXPECT_EQ(response.source, ResponseSource::bad_response) << lines;
    EXPECT_NE(response.warning.find("of several lines"), std::string::npos) << response.warning;
  }
}

TEST_F(FoldedFields, AFoldedLocationIsFollowed) {
  page("/here", "Location:\r\n /there\r\nContent-Length: 2\r\n", "302 Found");
  server.on("", "/there", reply("there"));
  EXPECT_EQ(agent().get(url("/here")).body, "there");
}

TEST_F(FoldedFields, AFoldedRetryAfterHolds) {
  page("/x", "Retry-After:\r\n 3600\r\nContent-Length: 2\r\n", "503 Busy");
  EXPECT_EQ(get("/x").code, 503);
  EXPECT_EQ(robot().host_wait(url("/x")).value(), 3600s);
}

TEST_F(FoldedFields, AFoldedRetryAfterOfRobotsTxtHolds) {
  page("/robots.txt", "Retry-After:\r\n 3600\r\nContent-Length: 2\r\n", "503 Busy");
  EXPECT_EQ(get("/x").source, ResponseSource::robots_unreachable);
  EXPECT_GE(record()->fresh_until, clock->now() + 3600s);
}

TEST_F(FoldedFields, TheRecordingHasTheHeadAsReceived) {
  page("/x", "X-Field: a\r\n\t b\r\nContent-Length: 2\r\n");
  Request request;
  request.url = url("/x");
  request.record = true;
  const Response response = agent().request(std::move(request));
  ASSERT_NE(response.recording, nullptr);
  EXPECT_EQ(response.recording->response_head, "HTTP/1.1 200 OK\r\nX-Field: a\r\n\t b\r\nContent-Length: 2\r\n\r\n");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
