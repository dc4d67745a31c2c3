// The number of simultaneous requests that the limit on open files allows.
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include <robotrules/user_agent.hpp>

namespace robotrules {
namespace {

constexpr std::size_t kept_free = 32;  // for databases, outputs, inputs, event loops, and bodies beyond the limit
constexpr std::size_t per_request = 3;
constexpr std::size_t max_keep_alive = 16'384;

std::size_t raised_limit() {
  constexpr std::size_t unknown = 1'024;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return unknown;
  if (files.rlim_cur != files.rlim_max) {
    const rlim_t before = std::exchange(files.rlim_cur, files.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &files) != 0) files.rlim_cur = before;
  }
  return files.rlim_cur;
}

}  // namespace

std::optional<std::size_t> count_open_files() {
  std::error_code failed;
  const std::filesystem::directory_iterator files("/proc/self/fd", failed);
  if (failed) return std::nullopt;
  return static_cast<std::size_t>(std::distance(begin(files), end(files)) - 1);  // without that of the iterator
}

Result<FileShares> share_files(std::size_t available, std::size_t wanted, std::size_t wanted_bodies) {
  if (available < kept_free + 2 * per_request) {
    return Error{"too-few-files", "the process may open only " + std::to_string(available) +
                                      " more files, which is too few for a connection; raise the limit (ulimit -n)"};
  }
  FileShares shares;
  shares.bodies = std::min(wanted_bodies, (available - kept_free) / 3);
  const std::size_t usable = available - kept_free - shares.bodies;
  shares.concurrency = std::clamp<std::size_t>(wanted, 1, usable / per_request);
  shares.keep_alive = std::min(usable - (per_request - 1) * shares.concurrency, max_keep_alive);
  return shares;
}

Result<FileShares> share_open_files(std::size_t wanted, std::size_t wanted_bodies) {
  const std::size_t limit = raised_limit();
  return share_files(limit - std::min(limit, count_open_files().value_or(3)), wanted, wanted_bodies);
}

}  // namespace robotrules
