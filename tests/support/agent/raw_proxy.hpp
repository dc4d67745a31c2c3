// A proxy that gives each connection the same bytes, whatever it is asked: one answer for each piece that comes, and
// then the end of the connection.
//
//     const RawProxy proxy({"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"});
//     options.connection.proxy.https = "http://127.0.0.1:" + std::to_string(proxy.port());
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/loopback_socket.hpp"

namespace robotrules::test {

class RawProxy {
 public:
  explicit RawProxy(std::vector<std::string> answers) : answers_(std::move(answers)) {
    socket_.listen();
    thread_ = std::thread([this] { serve(); });
  }
  ~RawProxy() {
    ends_ = true;
    ::close(connect_to(port()));  // wakes accept()
    thread_.join();
  }
  RawProxy(const RawProxy&) = delete;
  RawProxy& operator=(const RawProxy&) = delete;

  std::uint16_t port() const noexcept { return socket_.port(); }

 private:
  void serve() {
    while (true) {
      const int client = ::accept4(socket_.handle(), nullptr, nullptr, SOCK_CLOEXEC);
      if (ends_ || client < 0) {
        if (client >= 0) ::close(client);
        return;
      }
      for (const std::string& answer : answers_) {
        char piece[4096];
        if (::recv(client, piece, sizeof piece, 0) <= 0) break;
        static_cast<void>(::send(client, answer.data(), answer.size(), MSG_NOSIGNAL));
      }
      ::close(client);
    }
  }

  LoopbackSocket socket_;
  std::vector<std::string> answers_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace robotrules::test
