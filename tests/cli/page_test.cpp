// robotrules page: the page on a loopback address.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "cli/command.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A copy of the command in a folder of its own, as make install lays it out. The command finds the page from its own
// place, so each test decides whether there is one.
class Page : public testing::Test {
 protected:
  Page() {
    fs::create_directories(root_ / "bin");
    fs::create_directories(root_ / "share/robotrules");
    fs::copy_file(command_path(), root_ / "bin/robotrules");
    setenv("ROBOTRULES_COMMAND", (root_ / "bin/robotrules").c_str(), 1);
  }
  ~Page() override {
    if (was_.empty()) {
      unsetenv("ROBOTRULES_COMMAND");
    } else {
      setenv("ROBOTRULES_COMMAND", was_.c_str(), 1);
    }
  }

  fs::path file() const { return root_ / "share/robotrules/page.html"; }
  void install() const { std::ofstream(file()) << "<!doctype html><title>tester</title>"; }

 private:
  TemporaryFolder folder_;
  fs::path root_{fs::path(folder_.path()) / "usr"};
  std::string was_{[] {
    const char* const set = std::getenv("ROBOTRULES_COMMAND");
    return std::string(set == nullptr ? "" : set);
  }()};
};

// Reads the port of the printed address. The address is complete before the note on standard error.
std::string port_of(const Running& command) {
  command.read_err_until("Ctrl-C ends it");
  std::array<char, 100> bytes{};
  const ssize_t size = read(command.out(), bytes.data(), bytes.size());
  const std::string line(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  EXPECT_TRUE(line.starts_with("http://127.0.0.1:")) << line;
  EXPECT_TRUE(line.ends_with("/\n")) << line;
  const std::size_t begin = line.rfind(':') + 1;
  return line.substr(begin, line.find('/', begin) - begin);
}

// Sends a request as it is and returns the whole response.
std::string response_to(const std::string& port, const std::string& request) {
  namespace asio = boost::asio;
  asio::io_context loop;
  asio::ip::tcp::socket socket(loop);
  asio::connect(socket, asio::ip::tcp::resolver(loop).resolve("127.0.0.1", port));
  asio::write(socket, asio::buffer(request));
  std::string response;
  boost::system::error_code end;
  asio::read(socket, asio::dynamic_buffer(response), end);
  EXPECT_EQ(end, asio::error::eof);
  return response;
}

std::string ask(const std::string& port, const std::string& line, const std::string& host) {
  return response_to(port, line + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
}

TEST_F(Page, IsServedOnLoopbackUntilInterrupted) {
  install();
  Running command({"page"});
  const std::string port = port_of(command);
  const std::string host = "127.0.0.1:" + port;
  const std::string got = ask(port, "GET /", host);
  EXPECT_TRUE(got.starts_with("HTTP/1.1 200 OK\r\n")) << got;
  EXPECT_TRUE(holds(got, "Content-Type: text/html; charset=utf-8\r\n")) << got;
  EXPECT_TRUE(got.ends_with("\r\n\r\n<!doctype html><title>tester</title>")) << got;
  EXPECT_TRUE(ask(port, "GET /?x", "localhost:" + port).starts_with("HTTP/1.1 200 "));
  const std::string head = ask(port, "HEAD /", host);
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n")) << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
  EXPECT_TRUE(holds(head, "Content-Length: 36\r\n")) << head;
  command.signal(SIGINT);
  EXPECT_EQ(command.finish().status, 0);
}

TEST_F(Page, RefusesOtherMethodsPathsAndHosts) {
  install();
  Running command({"page"});
  const std::string port = port_of(command);
  const std::string host = "127.0.0.1:" + port;
  const std::string post = ask(port, "POST /", host);
  EXPECT_TRUE(post.starts_with("HTTP/1.1 405 ")) << post;
  EXPECT_TRUE(holds(post, "Allow: GET, HEAD\r\n")) << post;
  EXPECT_TRUE(ask(port, "GET /favicon.ico", host).starts_with("HTTP/1.1 404 "));
  EXPECT_TRUE(ask(port, "GET /../../etc/passwd", host).starts_with("HTTP/1.1 404 "));
  EXPECT_TRUE(ask(port, "GET /", "attacker.example:" + port).starts_with("HTTP/1.1 403 "));
  EXPECT_TRUE(ask(port, "GET /", "127.0.0.1").starts_with("HTTP/1.1 200 "));  // the port may be that of a tunnel
  EXPECT_TRUE(response_to(port, "GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 403 "));
  command.signal(SIGTERM);
  EXPECT_EQ(command.finish().status, 0);
}

TEST_F(Page, PrintsThePathOfItsFile) {
  install();
  const Ran ran = run({"page", "--path"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, fs::canonical(file()).string() + "\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(Page, SaysHowToBuildItIfItIsMissing) {
  for (const auto& words : {std::vector<std::string>{"page"}, {"page", "--path"}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(holds(ran.err, "robotrules page: the page is not installed: ")) << ran.err;
    EXPECT_TRUE(holds(ran.err, "\"make page\"")) << ran.err;
  }
}

TEST_F(Page, SaysThatAPortIsInUse) {
  install();
  Running command({"page"});
  const std::string port = port_of(command);
  const Ran second = run({"page", "--port", port});
  EXPECT_EQ(second.status, 2);
  EXPECT_TRUE(holds(second.err, "cannot listen on 127.0.0.1:" + port)) << second.err;
  EXPECT_TRUE(holds(second.err, "choose another --port")) << second.err;
  command.signal(SIGINT);
  EXPECT_EQ(command.finish().status, 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
