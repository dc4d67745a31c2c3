// Recordings: the bytes of each exchange, compared with those that the scripted server saw and sent.
#include <robotrules/robot_ua.hpp>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class Recordings : public LocalAgent {
 protected:
  Request recorded(const std::string& to) const {
    Request request;
    request.url = to;
    request.record = true;
    return request;
  }
};

TEST_F(Recordings, AreNotMadeUnlessAskedFor) {
  server.on("", "/", reply("hello"));
  const Response page = agent().get(url("/"));
  EXPECT_EQ(page.recording, nullptr);
  EXPECT_EQ(page.recorded_body().in_memory(), "");
}

TEST_F(Recordings, HoldBothHeadsToTheByteAndTheBodyOnce) {
  const std::string head = "HTTP/1.1 200 Fine  so\r\nX-Odd:   spaced \t\r\nx-odd: twice\r\nContent-Length: 5\r\n\r\n";
  server.on("", "/a", Script().send(head + "hello"));
  const Response page = agent().request(recorded(url("/a?b=c#d")));
  ASSERT_NE(page.recording, nullptr);
  EXPECT_EQ(page.recording->request_head, seen(0).head);
  EXPECT_EQ(page.recording->response_head, head);
  EXPECT_TRUE(page.recording->body_is_plain);
  EXPECT_EQ(page.recording->body, "");
  EXPECT_EQ(page.recorded_body().in_memory(), "hello");
  EXPECT_EQ(page.recording->peer, "127.0.0.1:" + std::to_string(port));
  EXPECT_EQ(page.recording->requested_at, page.requested_at);
  EXPECT_EQ(page.recording->cut, RecordingCut::none);
}

TEST_F(Recordings, HoldAnEncodedBodyAsItCameAndChunksTakenOff) {
  const std::string text(20'000, 'x');
  const std::string bytes = packed(Coding::gzip, text);
  server.on("", "/", Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = bytes, .chunked = 7});
  const Response page = agent().request(recorded(url("/")));
  EXPECT_EQ(page.body, text);
  ASSERT_NE(page.recording, nullptr);
  EXPECT_FALSE(page.recording->body_is_plain);
  EXPECT_EQ(page.recorded_body().in_memory(), bytes);
}

TEST_F(Recordings, AloneAreKeptWhereTheDecodedBodyIsNotWanted) {
  const std::string bytes = packed(Coding::gzip, "decoded and let go");
  server.on("", "/packed", Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = bytes});
  server.on("", "/plain", reply("as it is"));
  server.on("", "/damaged", Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = "no gzip"});
  for (const auto& [path, stored] : {std::pair{"/packed", bytes}, {"/plain", std::string("as it is")}}) {
    Request request = recorded(url(path));
    request.keep_body = false;
    const Response page = agent().request(request);
    EXPECT_EQ(page.body, "") << path;
    EXPECT_GT(page.body_size, 0U);
    EXPECT_EQ(page.recorded_body().in_memory(), stored);
  }
  Request request = recorded(url("/damaged"));
  request.keep_body = false;
  const Response page = agent().request(request);
  EXPECT_EQ(page.source, ResponseSource::body_refused);
  EXPECT_EQ(page.recorded_body().in_memory(), "no gzip");
}

TEST_F(Recordings, OfEachHopOfARedirect) {
  server.on("", "/one", redirect(302, "/two"));
  server.on("", "/two", reply("there"));
  const Response page = agent().request(recorded(url("/one")));
  ASSERT_NE(page.previous, nullptr);
  ASSERT_NE(page.previous->recording, nullptr);
  EXPECT_EQ(page.previous->recording->request_head, seen(0).head);
  EXPECT_TRUE(page.previous->recording->response_head.starts_with("HTTP/1.1 302 Found\r\n"));
  ASSERT_NE(page.recording, nullptr);
  EXPECT_EQ(page.recording->request_head, seen(1).head);
  EXPECT_EQ(page.recorded_body().in_memory(), "there");
}

TEST_F(Recordings, HaveTheFinalHeadAndNoInterimOneAndNoTrailer) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n";
  server.on(
      "", "/",
      Script().send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + head + "2\r\nhi\r\n0\r\nX-End: 1\r\n\r\n"));
  const Response page = agent().request(recorded(url("/")));
  ASSERT_NE(page.recording, nullptr);
  EXPECT_EQ(page.recording->response_head, head);
  EXPECT_EQ(page.recorded_body().in_memory(), "hi");
}

// libcurl takes these lines for the end of the head. A reader of the record would read on to the next empty line.
TEST_F(Recordings, HaveAHeadThatEndsWithAnEmptyLine) {
  for (const char* end : {"\r\r\n", "\r X: y\r\n"}) {
    server.on("", "/", Script().send("HTTP/1.0 200 OK\r\nA: b\r\n" + std::string(end) + "body"));
    const Response page = agent().request(recorded(url("/")));
    ASSERT_NE(page.recording, nullptr);
    EXPECT_EQ(page.recording->response_head, "HTTP/1.0 200 OK\r\nA: b\r\n\r\n");
    EXPECT_EQ(page.recorded_body().in_memory(), "body");
  }
}

TEST_F(Recordings, KeepTheBodyThatGoesElsewhere) {
  server.on("", "/", reply("to a file"));
  Request request = recorded(url("/"));
  request.to_file = new_folder() + "/page";
  const Response page = agent().request(request);
  EXPECT_EQ(page.body, "");
  EXPECT_EQ(page.recorded_body().in_memory(), "to a file");
  request.to_file = "/nowhere/at/all";
  const Response refused = agent().request(request);
  EXPECT_EQ(refused.source, ResponseSource::body_refused);
  EXPECT_NE(refused.recording, nullptr);
}

TEST_F(Recordings, OfAnExchangeWithoutABody) {
  server.on("", "/", reply("not sent"));
  Request request = recorded(url("/"));
  request.method = "HEAD";
  const Response page = agent().request(request);
  ASSERT_NE(page.recording, nullptr);
  EXPECT_TRUE(page.recording->request_head.starts_with("HEAD / HTTP/1.1\r\n"));
  EXPECT_EQ(page.recorded_body().in_memory(), "");
}

TEST_F(Recordings, DoNotHoldTheRequestsBody) {
  server.on("", "/", reply("taken"));
  Request request = recorded(url("/"));
  request.method = "POST";
  request.body = body_of("secret");
  const Response page = agent().request(request);
  ASSERT_NE(page.recording, nullptr);
  EXPECT_EQ(page.recording->request_head, seen(0).head);
  EXPECT_EQ(seen(0).body, "secret");
}

TEST_F(Recordings, SayWhyTheyEndTooEarly) {
  const std::string begun = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome";
  server.on("", "/long", reply(std::string(100, 'x')));
  server.on("", "/cut", Script().send(begun));
  server.on("", "/late", Script().send(begun).read_to_end());
  server.on("", "/headless", Script().send("HTTP/1.1 200 OK\r\nContent-Le"));
  Request request = recorded(url("/long"));
  request.max_size = 10;
  Response page = agent().request(request);
  ASSERT_NE(page.recording, nullptr);
  EXPECT_EQ(page.recording->cut, RecordingCut::length);
  EXPECT_EQ(page.recorded_body().in_memory(), std::string(10, 'x'));

  page = agent().request(recorded(url("/cut")));
  EXPECT_EQ(page.source, ResponseSource::network);
  ASSERT_NE(page.recording, nullptr);
  EXPECT_EQ(page.recording->cut, RecordingCut::disconnect);
  EXPECT_EQ(page.recording->response_head, begun.substr(0, begun.size() - 4));
  EXPECT_EQ(page.recorded_body().in_memory(), "some");

  page = agent().request(recorded(url("/headless")));
  ASSERT_NE(page.recording, nullptr);
  EXPECT_NE(page.recording->request_head, "");
  EXPECT_EQ(page.recording->response_head, "");
  EXPECT_EQ(page.recording->cut, RecordingCut::disconnect);

  options.limits.max_total_time = std::chrono::seconds(2);
  page = agent().request(recorded(url("/late")));
  EXPECT_EQ(page.source, ResponseSource::timeout);
  ASSERT_NE(page.recording, nullptr);
  EXPECT_EQ(page.recording->cut, RecordingCut::time);
  EXPECT_EQ(page.recorded_body().in_memory(), "some");
}

TEST_F(Recordings, AreNotOfWhatWasNeverSent) {
  const Response page = agent().request(recorded(url_of(server.refuse(), "/")));
  EXPECT_EQ(page.source, ResponseSource::network);
  EXPECT_EQ(page.recording, nullptr);
}

TEST_F(Recordings, OfOneExchangeDoNotStickToTheNext) {
  server.on("", "/", reply("hello"));
  UserAgent same = agent();
  EXPECT_NE(same.request(recorded(url("/"))).recording, nullptr);
  EXPECT_EQ(same.get(url("/")).recording, nullptr);
  const Response third = same.request(recorded(url("/")));
  ASSERT_NE(third.recording, nullptr);
  EXPECT_EQ(third.recording->request_head, seen(2).head);
}

TEST_F(Recordings, ThroughAProxysTunnelHaveNothingOfTheProxys) {
  server.on("", "/", reply("hello"));
  const std::uint16_t proxy = server.open({.manner = Manner::proxy, .proxy_credentials = "u:p"});
  const std::string page_url = secure_url("/");
  options.connection.proxy.https = url_of(proxy, "");
  options.connection.proxy.user = "u:p";
  const Response page = agent().request(recorded(page_url));
  ASSERT_EQ(page.code, 200) << page.warning;
  ASSERT_NE(page.recording, nullptr);
  EXPECT_TRUE(page.recording->request_head.starts_with("GET / HTTP/1.1\r\n"));
  EXPECT_EQ(page.recording->request_head.find("CONNECT"), std::string::npos);
  EXPECT_TRUE(page.recording->response_head.starts_with("HTTP/1.1 200 OK\r\nContent-Type"));
}

TEST_F(Recordings, OfARobotAreOfPagesAndSaidNowhereForThoseDenied) {
  server.on("", "/robots.txt", reply("User-agent: *\nDisallow: /no\n"));
  server.on("", "/yes", reply("hello"));
  const Response page = robot().request(recorded(url("/yes")));
  ASSERT_NE(page.recording, nullptr);
  EXPECT_TRUE(page.recording->request_head.starts_with("GET /yes "));
  const Response denied = robot().request(recorded(url("/no")));
  EXPECT_EQ(denied.source, ResponseSource::robots_denied);
  EXPECT_EQ(denied.recording, nullptr);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
