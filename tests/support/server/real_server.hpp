// nginx, Apache httpd, Squid and a SOCKS server as Debian has them, started by a test on free loopback ports and ended
// with it.
//
//   RealServer nginx = RealServer::nginx("server { listen 127.0.0.1:{port}; root {folder}; }");
//   if (!nginx.running()) GTEST_SKIP() << nginx.why_not();
//   nginx.file("robots.txt", "User-agent: *\n");
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/server/witness.hpp"

namespace robotrules::test {

class RealServer {
 public:
  // Files to write before it starts: name, contents. {folder} in a configuration is where they are.
  using Files = std::vector<std::pair<std::string, std::string>>;

  // `http`: what stands inside nginx's http block. In it {port}, {port1}, {port2} ... are free ports of 127.0.0.1,
  // {folder} is a folder of its own.
  static RealServer nginx(const std::string& http, const Files& files = {});
  // `configuration`: follows the modules (mime, log_config, deflate, headers, rewrite, alias, dir, ssl, http2, authz,
  // auth that are there) and `Listen 127.0.0.1:{port}`; more Listen lines are the test's.
  static RealServer apache(const std::string& configuration, const Files& files = {});
  // A proxy on {port} that keeps nothing. `hosts`: a file of /etc/hosts for the names that it is asked for.
  static RealServer squid(const std::string& hosts, const std::string& configuration = {});
  // A SOCKS 5 proxy (microsocks) on {port}. It writes no log.
  static RealServer socks();

  RealServer(RealServer&&) noexcept;
  ~RealServer();

  // It runs, and every port of its configuration takes connections.
  bool running() const;
  // Not installed: not an error of the project. With running() false and this true the test fails.
  bool installed() const;
  // Why it does not run, with its error log.
  std::string why_not() const;

  std::uint16_t port(std::size_t number = 0) const;
  const std::string& folder() const;
  // Writes a file under folder().
  void file(const std::string& name, std::string_view contents) const;
  // The lines of its access log so far: combined format behind "msec.fraction port ".
  std::vector<std::string> access_log() const;
  bool wait_for_log(std::size_t lines, Millis limit = patience) const;
  std::string error_log() const;

  // Ends it: it answers no more, the folder stays until the end of this.
  void end();
  // Starts it again on its ports.
  void start_again();
  // Sends it a signal, such as SIGHUP, with which nginx ends its idle connections.
  void signal(int number) const;

 private:
  struct State;
  explicit RealServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace robotrules::test
