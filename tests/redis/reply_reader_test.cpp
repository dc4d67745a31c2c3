// Replies of a Redis server, byte by byte and all at once, and servers that send too much.
#include <gtest/gtest.h>

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "servers/redis/redis_connection.hpp"
#include "servers/redis/reply_reader.hpp"
#include "support/loopback_socket.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using store::redis::Reply;
using store::redis::ReplyLimits;
using store::redis::ReplyReader;
using Clock = std::chrono::steady_clock;

// Returns a reply as text: nil, 5, "text", !error, [1 2].
std::string text_of(const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::nil: return "nil";
    case Reply::Kind::text: return '"' + reply.text + '"';
    case Reply::Kind::number: return std::to_string(reply.number);
    case Reply::Kind::error: return '!' + reply.text;
    case Reply::Kind::list: break;
  }
  std::string text = "[";
  for (const Reply& item : reply.items) text += (text.size() > 1 ? " " : "") + text_of(item);
  return text + "]";
}

// Returns the replies in these bytes, added in pieces of that size; "?" where the bytes are refused.
std::string read(std::string_view bytes, std::size_t piece, const ReplyLimits& limits = {}) {
  ReplyReader reader(limits);
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    if (!reader.add(bytes.substr(0, piece))) return text + "?";
    while (const auto reply = reader.take()) text += text_of(*reply) + ";";
  }
  return text + (reader.is_idle() ? "" : "...");
}

std::unique_ptr<store::redis::Connection> connect_to(const LoopbackSocket& listener) {
  const auto connector = store::redis::Connector::make({});
  EXPECT_TRUE(connector.ok());
  auto connection = connector.value()->connect({"127.0.0.1", listener.port()}, Clock::now() + 10s);
  EXPECT_TRUE(connection.ok()) << connection.error().message;
  return std::move(connection).value();
}

TEST(RedisReplies, AreTheSameHoweverTheBytesAreSplit) {
  const struct {
    std::string_view bytes, replies;
  } cases[] = {
      {"+OK\r\n", "\"OK\";"},
      {"-ERR x\r\n", "!ERR x;"},
      {":-12\r\n:9223372036854775807\r\n", "-12;9223372036854775807;"},
      {"$5\r\na\r\nb\r\r\n$0\r\n\r\n$-1\r\n", "\"a\r\nb\r\";\"\";nil;"},
      {"*0\r\n*-1\r\n", "[];nil;"},
      {"*3\r\n:1\r\n*2\r\n$1\r\na\r\n*0\r\n+b\r\n:7\r\n", "[1 [\"a\" []] \"b\"];7;"},
      {"+a\rb\r\n", "\"a\rb\";"},
      {"+a\r\r\n", "\"a\r\";"},
      {"+O", "..."},
      {"+OK\r", "..."},
      {"$3\r\nabc", "..."},
      {"*2\r\n:1\r\n", "..."},
      {"\r\n", "?"},
      {"HTTP/1.1 400\r\n", "?"},
      {":\r\n", "?"},
      {":1x\r\n", "?"},
      {":+1\r\n", "?"},
      {":9223372036854775808\r\n", "?"},
      {"$-2\r\n", "?"},
      {"*-2\r\n", "?"},
      {"$1\r\nabc\r\n", "?"},
      {"$1\r\na\r\r", "?"},
      {"%1\r\n", "?"},
      {"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", "[[[[[[[[1]]]]]]]];"},
      {"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", "?"},
  };
  for (const auto& c : cases) {
    for (const std::size_t piece : {1, 2, 3, 5, 100}) EXPECT_EQ(read(c.bytes, piece), c.replies) << c.bytes << piece;
  }
}

TEST(RedisReplies, HaveLimits) {
  const ReplyLimits limits{.text_bytes = 10, .line_bytes = 8, .all_line_bytes = 20, .elements = 4, .depth = 2};
  const struct {
    std::string_view bytes, replies;
  } cases[] = {
      {"$10\r\n0123456789\r\n$10\r\n0123456789\r\n", "\"0123456789\";\"0123456789\";"},  // each reply by itself
      {"$11\r\n", "?"},
      {"*2\r\n$6\r\n012345\r\n$4\r\n", "..."},
      {"*2\r\n$6\r\n012345\r\n$5\r\n", "?"},
      {"+1234567\r\n", "\"1234567\";"},
      {"+12345678\r\n", "?"},
      {"+12345678", "?"},  // before its end has come
      {"*3\r\n+123456\r\n+123456\r\n+12\r\n", "[\"123456\" \"123456\" \"12\"];"},
      {"*3\r\n+123456\r\n+123456\r\n+1234\r\n", "?"},
      {"*4\r\n", "..."},
      {"*5\r\n", "?"},
      {"*2\r\n*2\r\n", "..."},
      {"*2\r\n*3\r\n", "?"},
      {"*1\r\n*1\r\n*1\r\n", "?"},
      {"*2147483647\r\n", "?"},
      {"$9223372036854775807\r\n", "?"},
  };
  for (const auto& c : cases) {
    for (const std::size_t piece : {1, 3, 100}) EXPECT_EQ(read(c.bytes, piece, limits), c.replies) << c.bytes << piece;
  }
}

TEST(RedisReplies, OfTheLargestClusterAreRead) {
  std::string slots = "*16384\r\n";
  for (int slot = 0; slot < 16'384; ++slot) {
    const std::string number = ":" + std::to_string(slot) + "\r\n";
    const std::string node =
        "*4\r\n$15\r\n255.255.255.255\r\n:65535\r\n$40\r\n" + std::string(40, 'a') + "\r\n*2\r\n+hostname\r\n+x\r\n";
    slots += "*4\r\n" + number + number + node + node;
  }
  ReplyReader reader;
  ASSERT_TRUE(reader.add(slots));
  const auto reply = reader.take();
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->items.size(), 16'384u);
}

// A server of one connection that sends what it is told, in pieces of that size, until the client closes.
class FloodingServer {
 public:
  FloodingServer(std::string head, std::string endless, std::size_t piece) {
    listener_.listen();
    thread_ = std::thread([this, head, endless, piece] {
      const int connection = ::accept(listener_.handle(), nullptr, nullptr);
      if (connection < 0) return;
      const int yes = 1;
      ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      std::string bytes = head;
      do {
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
          const auto size = std::min(piece, bytes.size() - at);
          if (::send(connection, bytes.data() + at, size, MSG_NOSIGNAL) < 0) bytes.clear();
          sent_ += size;
        }
        if (!bytes.empty()) bytes = endless;
      } while (!bytes.empty());
      ::close(connection);
    });
  }
  ~FloodingServer() {
    ::shutdown(listener_.handle(), SHUT_RDWR);
    thread_.join();
  }

  std::size_t sent() const { return sent_; }  // bytes

  // Waits for the first bytes. Returns the code of the error that the reply ends with.
  std::string_view receive(std::chrono::milliseconds timeout) const {
    const auto connection = connect_to(listener_);
    while (connection->is_open()) std::this_thread::yield();
    const auto reply = connection->receive(Clock::now() + timeout);
    return reply ? "none" : reply.error().code;
  }

 private:
  const LoopbackSocket listener_;
  std::atomic<std::size_t> sent_ = 0;
  std::thread thread_;
};

// What the two sockets hold, and what is read before a limit is reached.
constexpr std::size_t most_sent = std::size_t{24} << 20;

TEST(RedisReplies, ThatNeverEndStopAtTheDeadline) {
  // More than a socket holds, and less than the limits. The next bytes are always there when the last ones were read.
  std::string elements;
  for (int i = 0; i < 2'000; ++i) elements += "+\r\n";
  const FloodingServer server("*400000\r\n", elements, 4096);
  EXPECT_EQ(server.receive(-1s), "store-unreachable");
}

TEST(RedisReplies, ALineWithoutAnEndIsRefusedBeforeTheDeadline) {
  const FloodingServer server("+", std::string(4096, 'x'), 4096);
  EXPECT_EQ(server.receive(60s), "store-io");
  EXPECT_LT(server.sent(), most_sent);
}

TEST(RedisReplies, EndlessSmallElementsAreRefusedBeforeTheDeadline) {
  const FloodingServer server("*100000000\r\n", "+\r\n+\r\n", 6);
  EXPECT_EQ(server.receive(60s), "store-io");
  EXPECT_LT(server.sent(), most_sent);
}

class SentReplies : public testing::Test {
 protected:
  ~SentReplies() override { ::close(peer_); }
  // Returns a connection to a server that has sent these bytes.
  std::unique_ptr<store::redis::Connection> connection_with(std::string_view bytes) {
    listener_.listen();
    auto connection = connect_to(listener_);
    peer_ = ::accept(listener_.handle(), nullptr, nullptr);
    EXPECT_GE(peer_, 0);
    EXPECT_EQ(::send(peer_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    return connection;
  }

 private:
  const LoopbackSocket listener_;
  int peer_ = -1;
};

// Longer than one read, and sent at once.
TEST_F(SentReplies, ThatHaveComeAreReadAfterTheDeadline) {
  const std::string body(20'000, 'x');
  const auto connection = connection_with("$20000\r\n" + body + "\r\n");
  while (connection->is_open()) std::this_thread::yield();  // until the bytes are there
  const auto read = connection->receive(Clock::now() - 1s);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->text, body);
  EXPECT_EQ(connection->receive(Clock::now() - 1s).error().code, "store-unreachable");
}

TEST_F(SentReplies, OneThatNobodyAskedForEndsTheConnection) {
  const auto connection = connection_with("+one\r\n+two\r\n");
  const auto one = connection->receive(Clock::now() + 10s);
  ASSERT_TRUE(one.ok()) << one.error().message;
  EXPECT_EQ(one->text, "one");
  EXPECT_FALSE(connection->is_open());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
