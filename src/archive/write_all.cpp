#include "archive/write_all.hpp"

#include <poll.h>
#include <unistd.h>
#include <cerrno>

namespace robotrules::archive {

int write_all(int descriptor, std::string_view& bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return errno;
    pollfd ready{descriptor, POLLOUT, 0};  // another process may have made the pipe non-blocking
    ::poll(&ready, 1, -1);
  }
  return 0;
}

}  // namespace robotrules::archive
