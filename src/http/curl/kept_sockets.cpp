#include "http/curl/kept_sockets.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include "http/curl/socket_address.hpp"

namespace robotrules::agent {
namespace {

// Returns 0 if the socket has none.
int local_port_of(int socket) noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const bool has_name = getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  return has_name ? port_of(reinterpret_cast<const sockaddr*>(&address)) : 0;
}

}  // namespace

std::string KeptSockets::ends(std::string_view remote, int remote_port, std::string_view local, int local_port) {
  std::string text(remote);
  text.append(1, ' ').append(std::to_string(remote_port)).append(1, ' ');
  return text.append(local).append(1, ' ').append(std::to_string(local_port));
}

void KeptSockets::remember(const std::string& ends, const std::vector<int>& sockets, int local_port) {
  for (const int socket : sockets) {
    if (local_port_of(socket) != local_port) continue;
    ends_[socket] = ends;
    sockets_[ends] = socket;
    return;
  }
}

int KeptSockets::find(const std::string& ends) const noexcept {
  const auto found = sockets_.find(ends);
  return found == sockets_.end() ? -1 : found->second;
}

void KeptSockets::close(int socket) noexcept {
  const auto found = ends_.find(socket);
  if (found != ends_.end()) {
    const auto kept = sockets_.find(found->second);
    if (kept != sockets_.end() && kept->second == socket) sockets_.erase(kept);
    ends_.erase(found);
  }
  ::close(socket);
}

}  // namespace robotrules::agent
