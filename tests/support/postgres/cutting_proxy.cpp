#include "support/postgres/cutting_proxy.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cctype>
#include <utility>

namespace robotrules::test {
namespace {

constexpr int tick = 20;  // milliseconds

bool is_readable(int socket) {
  pollfd file{socket, POLLIN, 0};
  return ::poll(&file, 1, tick) > 0;
}

std::string received(int socket) {
  std::string bytes(65'536, '\0');
  const auto size = ::recv(socket, bytes.data(), bytes.size(), 0);
  bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return bytes;
}

bool sent(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto size = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

// "COMMIT" is not in "READ COMMITTED".
bool has_word(const std::string& bytes, const std::string& word) {
  for (auto at = bytes.find(word); at != std::string::npos; at = bytes.find(word, at + 1)) {
    const auto after = at + word.size();
    if (after == bytes.size() || std::isalnum(static_cast<unsigned char>(bytes[after])) == 0) return true;
  }
  return false;
}

}  // namespace

CuttingProxy::CuttingProxy(std::uint16_t server) : server_(server) {
  listener_.listen();
  accepting_ = std::thread([this] {
    while (!must_end_) {
      if (!is_readable(listener_.handle())) continue;
      const int client = ::accept4(listener_.handle(), nullptr, nullptr, SOCK_CLOEXEC);
      if (client >= 0) connections_.emplace_back([this, client] { serve(client); });
    }
  });
}

CuttingProxy::~CuttingProxy() {
  must_end_ = true;
  accepting_.join();
  for (std::thread& connection : connections_) connection.join();
}

void CuttingProxy::cut(When when, std::string text) {
  const std::lock_guard lock(mutex_);
  when_ = when;
  text_ = std::move(text);
}

bool CuttingProxy::must_cut(When when, const std::string& bytes) {
  const std::lock_guard lock(mutex_);
  if (text_.empty() || when_ != when || !has_word(bytes, text_)) return false;
  text_.clear();
  return true;
}

void CuttingProxy::serve(int client) {
  const int server = connect_to(server_);
  bool is_open = server >= 0;
  while (is_open && !must_end_) {
    pollfd files[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (::poll(files, 2, tick) <= 0) continue;
    if (files[0].revents != 0) {
      const std::string bytes = received(client);
      if (must_cut(When::before_request, bytes)) {
        ++cuts_;
        break;
      }
      const bool is_last = must_cut(When::before_answer, bytes);
      is_open = !bytes.empty() && sent(server, bytes);
      if (is_last) {
        while (!must_end_ && !is_readable(server)) {
        }
        ++cuts_;
        break;
      }
    }
    if (is_open && files[1].revents != 0) {
      const std::string bytes = received(server);
      is_open = !bytes.empty() && sent(client, bytes);
    }
  }
  if (server >= 0) ::close(server);
  ::close(client);
}

}  // namespace robotrules::test
