#include "support/redis/redis_server.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "servers/redis/redis_connection.hpp"
#include "support/folder.hpp"

namespace robotrules::test {
namespace {

using namespace std::chrono_literals;
using store::redis::Reply;

// Debian has the server's program in redis-tools too: as redis-check-rdb, which is the server under its own name.
constexpr std::array programs{"/usr/bin/redis-server", "/usr/bin/valkey-server", "/usr/bin/redis-check-rdb"};
constexpr auto patience = 20s;

const char* program() {
  const auto found = std::ranges::find_if(programs, [](const char* path) { return ::access(path, X_OK) == 0; });
  return found == programs.end() ? nullptr : *found;
}

Reply failure(const std::string& text) {
  Reply reply;
  reply.kind = Reply::Kind::error;
  reply.text = text;
  return reply;
}

}  // namespace

bool RedisServer::is_installed() { return program() != nullptr; }

RedisServer::RedisServer(std::vector<std::string> settings)
    : settings_(std::move(settings)),
      folder_(new_folder()),
      tls_(std::ranges::find(settings_, "--tls-cert-file") != settings_.end()) {
  start();
}

Reply RedisServer::call(const store::redis::Command& command) const {
  store::redis::Settings settings;
  const auto connector = store::redis::Connector::make(settings);
  if (!connector) return failure(connector.error().message);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  auto connection = connector.value()->connect({"127.0.0.1", port()}, deadline);
  if (!connection) return failure(connection.error().message);
  if (auto sent = connection.value()->send(std::array{&command}, deadline); !sent) return failure(sent.error().message);
  auto reply = connection.value()->receive(deadline);
  return reply ? std::move(reply).value() : failure(reply.error().message);
}

std::string RedisServer::info(const std::string& name) const {
  const std::string text = "\n" + call({"INFO"}).text;
  const auto at = text.find("\n" + name + ":");
  if (at == std::string::npos) return {};
  const auto from = at + name.size() + 2;
  return text.substr(from, text.find_first_of("\r\n", from) - from);
}

void RedisServer::start() {
  ASSERT_TRUE(is_installed());
  ASSERT_LT(process_, 0) << "it runs";
  std::vector<std::string> words{"redis-server",
                                 "--bind",
                                 "127.0.0.1",
                                 "--save",
                                 "",
                                 "--dir",
                                 folder_,
                                 "--logfile",
                                 folder_ + "/log",
                                 "--repl-diskless-sync-delay",
                                 "0"};
  words.insert(words.end(), {tls_ ? "--tls-port" : "--port", std::to_string(port())});
  if (tls_) words.insert(words.end(), {"--port", "0"});
  words.insert(words.end(), settings_.begin(), settings_.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  ASSERT_GE(process_, 0);
  if (process_ == 0) {
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) ::_exit(126);
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, 0);
    ::dup2(nothing, 1);
    ::dup2(nothing, 2);
    ::execv(program(), arguments.data());
    ::_exit(127);
  }
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    ASSERT_NE(::waitpid(process_, nullptr, WNOHANG), process_) << "it has ended: see " << folder_ << "/log";
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "it does not answer";
    const Reply reply = call({"PING"});
    const bool is_down = reply.text.find("cannot be reached") != std::string::npos && !tls_;
    if (!is_down && !reply.is_error("LOADING")) {
      if (!tls_) return;
      // Without the right certificate, TLS fails, but it fails because something listens.
      if (reply.text.find("refused") == std::string::npos) return;
    }
    std::this_thread::sleep_for(5ms);
  }
}

void RedisServer::kill() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

void RedisServer::pause() { ::kill(process_, SIGSTOP); }
void RedisServer::resume() { ::kill(process_, SIGCONT); }

}  // namespace robotrules::test
