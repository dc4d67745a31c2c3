// A proxy in front of a PostgreSQL server that cuts a connection at a chosen moment.
//
//     CuttingProxy proxy(server.port());
//     auto store = open_store(proxy.uri());
//     proxy.cut(CuttingProxy::When::before_answer, "COMMIT");  // the server commits, and the client does not learn it
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "support/loopback_socket.hpp"

namespace robotrules::test {

// Throws std::runtime_error if there is no port. Any thread.
class CuttingProxy {
 public:
  explicit CuttingProxy(std::uint16_t server);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  // "postgresql://postgres@127.0.0.1:5432/postgres", with settings such as "?lease=3".
  std::string uri(const std::string& settings = {}) const {
    return "postgresql://postgres@127.0.0.1:" + std::to_string(listener_.port()) + "/postgres" + settings;
  }
  enum class When {
    before_request,  // the server does not get the bytes that have the text
    before_answer,   // the server gets them, and its answer is lost
  };
  // Cuts one connection: the next one that sends this text, which no letter or digit follows. True after cuts() has
  // risen.
  void cut(When when, std::string text);
  int cuts() const noexcept { return cuts_; }

 private:
  void serve(int client);
  bool must_cut(When when, const std::string& bytes);

  const std::uint16_t server_;
  const LoopbackSocket listener_;
  std::atomic<bool> must_end_{false};
  std::atomic<int> cuts_{0};
  std::mutex mutex_;
  When when_ = When::before_request;
  std::string text_;  // empty: cut nothing
  std::list<std::thread> connections_;
  std::thread accepting_;
};

}  // namespace robotrules::test
