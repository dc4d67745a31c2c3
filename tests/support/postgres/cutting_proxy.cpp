#include "support/postgres/cutting_proxy.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace robotrules::test {
namespace {

constexpr int tick = 20;  // milliseconds

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

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

}  // namespace

CuttingProxy::CuttingProxy(std::uint16_t server)
    : server_(server), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no free port");
  }
  port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] {
    while (!must_end_) {
      if (!is_readable(listener_)) continue;
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client >= 0) connections_.emplace_back([this, client] { serve(client); });
    }
  });
}

CuttingProxy::~CuttingProxy() {
  must_end_ = true;
  accepting_.join();
  for (std::thread& connection : connections_) connection.join();
  ::close(listener_);
}

void CuttingProxy::cut(When when, std::string text) {
  const std::lock_guard lock(mutex_);
  when_ = when;
  text_ = std::move(text);
}

bool CuttingProxy::must_cut(When when, const std::string& bytes) {
  const std::lock_guard lock(mutex_);
  if (text_.empty() || when_ != when || bytes.find(text_) == std::string::npos) return false;
  text_.clear();
  return true;
}

void CuttingProxy::serve(int client) {
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(server_);
  bool is_open = ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
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
  ::close(server);
  ::close(client);
}

}  // namespace robotrules::test
