// A real Redis server for tests: a process of its own on a free port, with a folder of its own.
//
//   RedisServer server({"--appendonly", "yes"});
//   server.kill();   // as kill -9
//   server.start();  // on the same port, with what is in its folder
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "servers/redis/redis_settings.hpp"
#include "servers/redis/reply.hpp"
#include "support/loopback_socket.hpp"

namespace robotrules::test {

// It is killed with its object, and when the thread that made it ends.
class RedisServer {
 public:
  // False: there is no such program on this machine, so the tests that need it are skipped.
  static bool is_installed();

  // `settings`: words of the command line. It does not listen on `port` with --tls-port, so give --port 0 then.
  explicit RedisServer(std::vector<std::string> settings = {});
  ~RedisServer() { kill(); }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  std::uint16_t port() const { return port_.port(); }
  std::string address() const { return "127.0.0.1:" + std::to_string(port()); }
  const std::string& folder() const { return folder_; }
  pid_t process() const { return process_; }
  // "redis://127.0.0.1:6379?prefix=..."
  std::string url(const std::string& settings = "") const { return "redis://" + address() + settings; }

  // Makes a call on a new connection. A failure is an error reply.
  store::redis::Reply call(const store::redis::Command& command) const;
  // The value of a line of INFO.
  std::string info(const std::string& name) const;

  // Starts it and waits until it answers. Fails the test if it does not.
  void start();
  void kill();
  void pause();
  void resume();

 private:
  std::vector<std::string> settings_;
  std::string folder_;
  const LoopbackSocket port_;  // keeps the port while the server is away
  bool tls_ = false;
  pid_t process_ = -1;
};

}  // namespace robotrules::test
