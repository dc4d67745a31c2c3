#include "support/agent/plain_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <stdexcept>
#include <vector>

namespace robotrules::test {
namespace {

constexpr int patience_ms = 20'000;

// Connected to the address, or -1.
int connected(std::uint16_t port, const std::string& address) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  if (inet_pton(AF_INET, address.c_str(), &to.sin_addr) != 1) throw std::runtime_error("no address: " + address);
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) throw std::runtime_error("no socket");
  if (::connect(made, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return made;
  ::close(made);
  return -1;
}

}  // namespace

PlainClient::PlainClient(std::uint16_t port, const std::string& address) : socket_(connected(port, address)) {
  if (socket_ < 0) throw std::runtime_error("no connection to " + address);
}

PlainClient::~PlainClient() { ::close(socket_); }

bool PlainClient::refused(std::uint16_t port, const std::string& address) {
  const int made = connected(port, address);
  const bool no = made < 0 && errno == ECONNREFUSED;
  if (made >= 0) ::close(made);
  return no;
}

void PlainClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0) throw std::runtime_error("the server takes no more");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string PlainClient::read(std::size_t bytes) {
  std::string out;
  std::vector<char> buffer(65'536);
  while (out.size() < bytes) {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, patience_ms) != 1) break;
    const ssize_t count = ::recv(socket_, buffer.data(), std::min(buffer.size(), bytes - out.size()), 0);
    if (count < 0 && errno == ECONNRESET) was_reset_ = true;
    if (count <= 0) break;
    out.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return out;
}

std::string PlainClient::read_all() { return read(std::numeric_limits<std::size_t>::max()); }

bool PlainClient::readable() const {
  pollfd waiting{socket_, POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 1;
}

void PlainClient::half_close() { ::shutdown(socket_, SHUT_WR); }

std::uint16_t PlainClient::local_port() const {
  sockaddr_in name{};
  socklen_t size = sizeof name;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&name), &size);
  return ntohs(name.sin_port);
}

}  // namespace robotrules::test
