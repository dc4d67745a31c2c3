// The scripted server tried by itself: with plain sockets, byte by byte, and with libcurl.
#include "support/server/server.hpp"

#include <gtest/gtest.h>

#include "support/agent/plain_client.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using std::string_literals::operator""s;

constexpr std::string_view ask = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n";

TEST(ScriptedServer, AnswersARouteAndKeepsTheConnection) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/", reply("hello"));
  PlainClient client(port);
  for (int turn = 0; turn < 2; ++turn) {
    client.send(ask);
    const std::string expected = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
    EXPECT_EQ(client.read(expected.size()), expected);
  }
  ASSERT_TRUE(server.witness().wait_for_answers(2));
  EXPECT_EQ(server.witness().connection_count(), 1U);
}

TEST(ScriptedServer, RemembersWhatWasAskedToTheByte) {
  ScriptedServer server;
  const std::uint16_t port = server.listen("127.0.0.7");
  server.on("", "/a", reply("x"));
  const auto before = std::chrono::steady_clock::now();
  PlainClient client(port, "127.0.0.7");
  const std::string head =
      "POST /a?b=c HTTP/1.1\r\nHost: A.test:81\r\nX-Two:  1 \r\nx-two: 2\r\nContent-Length: 4\r\n\r\n";
  client.send(head + "body");
  client.read(1);
  ASSERT_TRUE(server.witness().wait_for_answers(1));
  const SeenRequest seen = server.witness().requests().at(0);
  EXPECT_EQ(seen.head, head);
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.target, "/a?b=c");
  EXPECT_EQ(seen.path(), "/a");
  EXPECT_EQ(seen.host(), "a.test:81");
  EXPECT_EQ(seen.header("X-TWO"), "1");
  EXPECT_EQ(seen.all("x-two"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(seen.body, "body");
  EXPECT_EQ(seen.body_bytes, 4U);
  EXPECT_TRUE(seen.routed);
  EXPECT_EQ(seen.number, 1U);
  EXPECT_EQ(seen.connection, 1U);
  EXPECT_EQ(seen.ends.local_address, "127.0.0.7");
  EXPECT_EQ(seen.ends.local_port, port);
  EXPECT_EQ(seen.ends.peer_port, client.local_port());
  EXPECT_GE(seen.arrived.steady, before);
  EXPECT_LE(seen.arrived.steady, seen.answered->steady);
  EXPECT_GT(seen.sent, 0U);
}

TEST(ScriptedServer, TakesAChunkedBody) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/", [](const SeenRequest& request) { return reply(request.body, ""); });
  PlainClient client(port);
  client.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked("one two three", 5) +
              "GET / HTTP/1.0\r\nHost: a\r\n\r\n");  // and finds the next request behind it
  EXPECT_EQ(client.read_all(),
            "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\none two three"
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST(ScriptedServer, TellsHostsAndPathsApart) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/*", reply("any"));
  server.on("A.test", "/*", reply("a"));
  server.on("a.test", "/x*", reply("a x"));
  server.on("a.test", "/x/y", reply("a x y"));
  server.on("a.test", "/x/y?q", reply("a x y q"));
  server.on("a.test:81", "/x/y", reply("a 81"));
  const auto body = [&](const std::string& target, const std::string& host) {
    PlainClient client(port);
    client.send("GET " + target + " HTTP/1.0\r\nHost: " + host + "\r\n\r\n");
    const std::string all = client.read_all();
    return all.substr(all.find("\r\n\r\n") + 4);
  };
  EXPECT_EQ(body("/", "b.test"), "any");
  EXPECT_EQ(body("/", "a.TEST"), "a");
  EXPECT_EQ(body("/x/z", "a.test:5"), "a x");
  EXPECT_EQ(body("/x/y?r", "a.test"), "a x y");
  EXPECT_EQ(body("/x/y?q", "a.test"), "a x y q");
  EXPECT_EQ(body("/x/y", "a.test:81"), "a 81");
  EXPECT_EQ(body("/x/y?q", "a.test:81"), "a 81");
  EXPECT_EQ(body("http://a.test/x/y?q", "b.test"), "a x y q");
  server.on("b.test", "/only", reply("only"));
  EXPECT_EQ(body("/other", "b.test"), "any");
  server.forget_routes();
  EXPECT_EQ(body("/", "a.test"), "");
  EXPECT_FALSE(server.witness().requests().back().routed);
}

TEST(ScriptedServer, AnswersInTurn) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/", in_turn({status(503, {{"Retry-After", "2"}}), reply("here"), Script().reset()}));
  PlainClient client(port);
  client.send(ask);
  EXPECT_EQ(client.read(32), "HTTP/1.1 503 Service Unavailable");
  client.read(std::string("\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n").size());
  client.send(ask);
  EXPECT_EQ(client.read(15), "HTTP/1.1 200 OK");
  client.send(ask);
  client.read_all();
  EXPECT_TRUE(client.was_reset());
}

TEST(ScriptedServer, ReplyHasNoBodyWhereHttpSaysSo) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/", reply("hello", ""));
  server.on("", "/304", status(304, {{"ETag", "\"a\""}}));
  server.on("", "/chunked", Reply{.body = "hello", .chunked = 3});
  server.on("", "/endless", Reply{.body = "hello", .length = false});
  server.on("", "/wrong", Reply{.headers = {{"Content-Length", "9"}}, .body = "hello", .close = true});
  PlainClient client(port);
  client.send(
      "HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET /304 HTTP/1.1\r\nHost: a\r\n\r\n"
      "GET /chunked HTTP/1.1\r\nHost: a\r\n\r\nGET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.read_all(),
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello");
  PlainClient other(port);
  other.send("GET /wrong HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(other.read_all(), "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhello");
}

TEST(ScriptedServer, WhatIsNotHttpIsSeenAndNotAnswered) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  PlainClient client(port);
  client.send("nonsense\r\n\r\n");
  EXPECT_EQ(client.read_all(), "");
  PlainClient half(port);
  half.send("GET / HTT");
  half.half_close();
  EXPECT_EQ(half.read_all(), "");
  ASSERT_TRUE(server.witness().wait_for(2));
  for (const SeenRequest& seen : server.witness().requests()) EXPECT_TRUE(seen.malformed);
  EXPECT_EQ(server.witness().requests()[1].head, "GET / HTT");
}

TEST(Script, AGateHoldsUntilItIsOpened) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  const Gate gate;
  server.on("", "/", Script().send("ab").wait(gate).send("cd").keep());
  server.on("", "/other", reply("other"));
  PlainClient client(port);
  client.send(ask);
  EXPECT_EQ(client.read(2), "ab");
  ASSERT_TRUE(gate.wait_reached());
  PlainClient other(port);  // which holds up nobody else
  other.send("GET /other HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(other.read_all().ends_with("other"));
  EXPECT_FALSE(client.readable());
  gate.open();
  EXPECT_EQ(client.read(2), "cd");
  client.send(ask);  // kept, and an open gate holds nothing
  EXPECT_EQ(client.read(4), "abcd");
}

TEST(Script, APeerThatGoesEndsTheWait) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  const Gate gate;
  server.on("", "/", Script().wait(gate).send("too late"));
  {
    PlainClient client(port);
    client.send(ask);
    ASSERT_TRUE(gate.wait_reached());
  }
  ASSERT_TRUE(server.witness().wait_for_closed(1));
  EXPECT_TRUE(server.witness().connections()[0].peer_closed);
  EXPECT_EQ(server.witness().requests()[0].sent, 0U);
}

TEST(Script, DripsTakeTheirTime) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/", Script().drip("abcdef", 2, Millis(20)));
  PlainClient client(port);
  const auto begin = std::chrono::steady_clock::now();
  client.send(ask);
  EXPECT_EQ(client.read_all(), "abcdef");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, Millis(60));
}

TEST(Script, RepeatsUntilThePeerCloses) {
  ScriptedServer server;
  const std::uint16_t port = server.open({.send_buffer = 65'536});
  server.on("", "/", Script().send("HTTP/1.1 200 OK\r\n\r\n").repeat("more "));
  {
    PlainClient client(port);
    client.send(ask);
    EXPECT_EQ(client.read(29), "HTTP/1.1 200 OK\r\n\r\nmore more ");
    client.read(1'000'000);
  }
  ASSERT_TRUE(server.witness().wait_for_closed(1));
  const SeenConnection seen = server.witness().connections()[0];
  EXPECT_GE(seen.bytes_out, 1'000'029U);
  EXPECT_LE(seen.bytes_out, 20'000'000U);  // what kernels buffer at most
  EXPECT_TRUE(seen.peer_closed);
}

TEST(Script, StreamsABodyMadeAnewForEachRequest) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/", Script().stream([] { return [left = 3]() mutable { return left-- > 0 ? "piece "s : ""s; }; }));
  for (int turn = 0; turn < 2; ++turn) {
    PlainClient client(port);
    client.send(ask);
    EXPECT_EQ(client.read_all(), "piece piece piece ");
  }
}

TEST(Script, HalfClosesAndReadsOn) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/", Script().send("a").read_more().send("b").half_close().read_to_end());
  PlainClient client(port);
  client.send(ask);
  EXPECT_EQ(client.read(1), "a");
  client.send("more");
  EXPECT_EQ(client.read_all(), "b");
  client.send(" and more");
  client.half_close();
  ASSERT_TRUE(server.witness().wait_for_closed(1));
  EXPECT_EQ(server.witness().requests()[0].more, "more and more");
}

TEST(Script, ResetIsAReset) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/", Script().send("part").read_more().reset());
  PlainClient client(port);
  client.send(ask);
  EXPECT_EQ(client.read(4), "part");
  client.send("x");
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(client.was_reset());
}

TEST(ScriptedServer, ASilentListenerRecordsAndNeverAnswers) {
  ScriptedServer server;
  const std::uint16_t canary = server.open({.manner = Manner::silent});
  const std::uint16_t port = server.listen();
  EXPECT_EQ(server.witness().connections_to(canary), 0U);
  PlainClient client(canary);
  client.send(ask);
  ASSERT_TRUE(server.witness().wait_for_connections(1));
  EXPECT_EQ(server.witness().connections_to(canary), 1U);
  EXPECT_EQ(server.witness().connections_to(port), 0U);
  client.half_close();
  EXPECT_EQ(client.read_all(), "");
  EXPECT_EQ(server.witness().request_count(), 0U);
}

TEST(ScriptedServer, RefusesWhereItSaysSo) {
  ScriptedServer server;
  EXPECT_TRUE(PlainClient::refused(server.refuse()));
  const std::uint16_t port = server.listen();
  EXPECT_FALSE(PlainClient::refused(port));
  server.stop_listening(port);
  EXPECT_TRUE(PlainClient::refused(port));
}

TEST(ScriptedServer, OnePortOnManyAddresses) {
  ScriptedServer server;
  const std::uint16_t port = server.listen("127.0.0.2");
  EXPECT_EQ(server.open({.address = "127.3.2.1", .port = port}), port);
  server.on("", "/", [](const SeenRequest& request) { return reply(request.ends.local_address); });
  PlainClient client(port, "127.3.2.1");
  client.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(client.read_all().ends_with("127.3.2.1"));
  EXPECT_THROW(server.listen("192.0.2.1"), std::exception);
}

TEST(ScriptedServer, DropsItsConnections) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  const Gate never;
  server.on("", "/", Script().wait(never));
  PlainClient client(port);
  client.send(ask);
  ASSERT_TRUE(never.wait_reached());
  server.drop_connections();
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(server.witness().wait_for_closed(1));
}

TEST(ScriptedServer, EndsWhileScriptsStillWait) {
  const Gate never;
  {
    ScriptedServer server;
    const std::uint16_t port = server.listen();
    server.on("", "/", Script().wait(never));
    PlainClient client(port);
    client.send(ask);
    ASSERT_TRUE(never.wait_reached());
  }
  never.open();  // with nobody behind it
}

TEST(Witness, ForgetsWhatWentBefore) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  PlainClient client(port);
  client.send(ask);
  ASSERT_TRUE(server.witness().wait_for_answers(1));
  server.witness().clear();
  EXPECT_EQ(server.witness().request_count(), 0U);
  EXPECT_FALSE(server.witness().wait_for(1, Millis(1)));
  client.send(ask);
  ASSERT_TRUE(server.witness().wait_for_answers(1));
  EXPECT_EQ(server.witness().requests()[0].number, 2U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
