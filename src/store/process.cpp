#include "store/process.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

#include "store/sip_hash.hpp"

namespace robotrules::store {
namespace {

// Fields of /proc/ID/stat, see proc(5).
struct Status {
  char state = 0;             // field 3
  std::int64_t threads = 0;   // 20
  std::int64_t started = -1;  // 22
};

std::optional<Status> status_of(std::int64_t id) {
  std::ifstream stream("/proc/" + std::to_string(id) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::size_t name_end = text.rfind(')');  // the name may contain any byte, also ")"
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  Status status;
  std::string skipped;
  fields >> status.state;
  for (int field = 4; field < 20; ++field) fields >> skipped;
  fields >> status.threads >> skipped >> status.started;
  if (!fields || status.started < 0) return std::nullopt;
  return status;
}

std::string link_of(const char* path) {
  std::error_code failed;
  return std::filesystem::read_symlink(path, failed).string();
}

}  // namespace

Process this_process(std::string_view boot) {
  const pid_t id = getpid();
  const std::string ids = link_of("/proc/self/ns/pid");
  // If /proc was mounted for another PID namespace, its numbers differ from those of kill() and getpid().
  if (boot.empty() || ids.empty() || link_of("/proc/self") != std::to_string(id)) return {};
  const auto status = status_of(id);
  if (!status) return {};
  // /proc gives start times by the clock of the reader's time namespace.
  const std::string realm = std::string(boot) + "\n" + ids + "\n" + link_of("/proc/self/ns/time");
  return {id, status->started, static_cast<std::int64_t>(sip_hash({}, realm) | 1)};
}

bool has_ended(const Process& process, const Process& self) {
  if (process.id <= 0 || process.realm == 0 || process.realm != self.realm) return false;
  if (kill(static_cast<pid_t>(process.id), 0) != 0 && errno == ESRCH) return true;
  const auto status = status_of(process.id);
  if (!status) return false;
  if (status->started != process.started) return true;
  // If only the first thread has ended, the state is also Z, but other threads still run.
  return (status->state == 'Z' || status->state == 'X') && status->threads <= 1;
}

}  // namespace robotrules::store
