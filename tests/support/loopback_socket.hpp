// A TCP socket on a free port of 127.0.0.1.
//
//     const LoopbackSocket socket;
//     socket.listen();
//     connect_to(socket.port());
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace robotrules::test {

inline sockaddr_in loopback_address(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// Bound and not listening: the port is given to nothing else while this lives, but a server that sets SO_REUSEADDR,
// too, can have it. Throws std::runtime_error.
class LoopbackSocket {
 public:
  LoopbackSocket() : handle_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int yes = 1;
    sockaddr_in address = loopback_address(0);
    socklen_t size = sizeof address;
    if (handle_ < 0 || ::setsockopt(handle_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        ::bind(handle_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::getsockname(handle_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("no free port");
    }
    port_ = ntohs(address.sin_port);
  }
  LoopbackSocket(LoopbackSocket&& other) noexcept : handle_(std::exchange(other.handle_, -1)), port_(other.port_) {}
  LoopbackSocket& operator=(LoopbackSocket&&) = delete;
  ~LoopbackSocket() {
    if (handle_ >= 0) ::close(handle_);
  }

  void listen() const {
    if (::listen(handle_, 16) != 0) throw std::runtime_error("a port that cannot be listened on");
  }
  int handle() const noexcept { return handle_; }
  std::uint16_t port() const noexcept { return port_; }

 private:
  int handle_;
  std::uint16_t port_ = 0;
};

// Returns a connected socket, which the caller closes; -1: nothing listens there.
inline int connect_to(std::uint16_t port) {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback_address(port);
  if (made >= 0 && ::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return made;
  if (made >= 0) ::close(made);
  return -1;
}

}  // namespace robotrules::test
