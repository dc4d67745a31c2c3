// The server of the page and of the metrics: idle clients, names of hosts, and a process without descriptors.
#include "cli/io/text_server.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/user_agent.hpp>

#include "cli/metrics/metrics.hpp"
#include "cli/page/page_server.hpp"
#include "support/loopback_socket.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

std::uint16_t port_in(const std::string& address) {
  std::string text = address.substr(address.rfind(':') + 1);
  return static_cast<std::uint16_t>(std::stoi(text));
}

// A connection that ends with its object.
class Client {
 public:
  explicit Client(std::uint16_t port) : file_(connect_to(port)) { EXPECT_GE(file_, 0); }
  Client(Client&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Client& operator=(Client&&) = delete;
  ~Client() {
    if (file_ >= 0) ::close(file_);
  }
  void send(const std::string& bytes) const {
    EXPECT_EQ(::send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  bool has_answer() const {
    char byte = 0;
    return ::recv(file_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
  }
  // Returns all bytes up to the end of the connection.
  std::string rest() const {
    std::string text;
    char bytes[4'096];
    for (ssize_t got = 0; (got = ::recv(file_, bytes, sizeof bytes, 0)) > 0;)
      text.append(bytes, static_cast<std::size_t>(got));
    return text;
  }

 private:
  int file_;
};

std::string status_of(std::uint16_t port, const std::string& head) {
  const Client client(port);
  client.send("GET /metrics HTTP/1.1\r\n" + head + "\r\n");
  return client.rest().substr(0, 12);
}

TEST(MetricsServer, IdleClientsDoNotStopAScrape) {
  const auto metrics = cli::serve_metrics("0");
  ASSERT_TRUE(metrics.ok());
  const std::uint16_t port = port_in(metrics.value()->address());
  std::vector<Client> idle;
  idle.reserve(100);
  for (int i = 0; i < 100; ++i) idle.emplace_back(port);
  idle.back().send("GET /metrics HT");
  UserAgentOptions options;
  options.limits.max_total_time = 5s;
  static_cast<void>(options.connection.guard.allow("127.0.0.0/8"));
  const Response response = UserAgent(options).get("http://" + metrics.value()->address() + "/metrics");
  EXPECT_EQ(response.code, 200) << response.warning;
  EXPECT_EQ(response.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  // So that idle clients do not take all descriptors, the oldest ones go first.
  EXPECT_EQ(idle.front().rest(), "");
}

TEST(MetricsServer, AtALoopbackAddressAnswersOnlyNamesOfThisMachine) {
  const auto metrics = cli::serve_metrics("127.0.0.5:0");
  ASSERT_TRUE(metrics.ok()) << metrics.error().message;
  const std::string address = metrics.value()->address();
  EXPECT_TRUE(address.starts_with("127.0.0.5:")) << address;
  const std::uint16_t port = port_in(address);
  const auto status_with = [port](const std::string& head) {
    const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at = loopback_address(port);
    at.sin_addr.s_addr = htonl(0x7F000005);
    EXPECT_EQ(::connect(file, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    const std::string request = "GET /metrics HTTP/1.1\r\n" + head + "\r\n";
    EXPECT_EQ(::send(file, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
    char bytes[12]{};
    const ssize_t got = ::recv(file, bytes, sizeof bytes, MSG_WAITALL);
    ::close(file);
    return std::string(bytes, got > 0 ? static_cast<std::size_t>(got) : 0);
  };
  for (const std::string host : {"localhost", "LocalHost:9100", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:9100",
                                 "127.0.0.5", "127.0.0.5:9100"}) {
    EXPECT_EQ(status_with("Host: " + host + "\r\n"), "HTTP/1.1 200") << host;
  }
  for (const std::string host :
       {"attacker.example", "attacker.example:9100", "127.0.0.1.attacker.example", "localhost.attacker.example",
        "127.0.0.6", "10.0.0.1", "[::2]", "[::1", "", "127.0.0.5:9100@attacker.example", "localhost@x"}) {
    EXPECT_EQ(status_with("Host: " + host + "\r\n"), "HTTP/1.1 403") << host;
  }
  EXPECT_EQ(status_with(""), "HTTP/1.1 403");
  EXPECT_EQ(status_with("Host: localhost\r\nHost: attacker.example\r\n"), "HTTP/1.1 403");
}

TEST(MetricsServer, AtAnotherAddressAnswersEveryName) {
  const auto metrics = cli::serve_metrics("0.0.0.0:0");
  ASSERT_TRUE(metrics.ok()) << metrics.error().message;
  const std::uint16_t port = port_in(metrics.value()->address());
  for (const std::string head : {"Host: crawler.example:9100\r\n", "Host: localhost\r\n", ""}) {
    EXPECT_EQ(status_of(port, head), "HTTP/1.1 200") << head;
  }
}

TEST(MetricsServer, HasOnePage) {
  const auto metrics = cli::serve_metrics("0");
  ASSERT_TRUE(metrics.ok());
  for (const auto& [line, answer] :
       {std::pair("GET /", "HTTP/1.1 404"), std::pair("GET /metrics?x=1", "HTTP/1.1 200"),
        std::pair("POST /metrics", "HTTP/1.1 405"), std::pair("HEAD /metrics", "HTTP/1.1 200")}) {
    const Client client(port_in(metrics.value()->address()));
    client.send(std::string(line) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(client.rest().substr(0, 12), answer) << line;
  }
}

// Takes all descriptors from the process, except those that are open.
class NoDescriptors {
 public:
  NoDescriptors() {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    const int next = ::dup(STDIN_FILENO);
    EXPECT_GE(next, 0);
    ::close(next);
    rlimit none = before_;
    none.rlim_cur = static_cast<rlim_t>(next);
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST(PageServers, DoNotSpinWithoutDescriptors) {
  boost::asio::io_context loop(1);
  const cli::PageServer server(loop, "the page", 0);
  std::string address = server.address();
  address.pop_back();
  const Client client(port_in(address));
  client.send("GET / HTTP/1.1\r\nHost: " + address.substr(std::strlen("http://")) + "\r\n\r\n");
  {
    const NoDescriptors none;
    int steps = 0;  // each failed accept is one
    while (steps < 1'000 && loop.poll_one() == 1) ++steps;
    EXPECT_GE(steps, 1);
    EXPECT_LT(steps, 10);
  }
  // When there are descriptors again, the client that waits is answered.
  for (int i = 0; i < 20 && !client.has_answer(); ++i) loop.run_one_for(10s);
  EXPECT_TRUE(client.has_answer());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
