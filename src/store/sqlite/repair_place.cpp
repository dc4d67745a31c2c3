#include "store/sqlite/repair_place.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <robotrules/open_store.hpp>

#include "store/sqlite/database.hpp"
#include "store/sqlite/sqlite_schema.hpp"

namespace robotrules::store {
namespace {

constexpr std::string_view mark = "repair";  // a name in the table meta
constexpr std::string_view damaged_suffix = ".damaged";
constexpr std::array<const char*, 4> parts = {"", "-wal", "-shm", "-journal"};

bool exists(const std::string& path) noexcept {
  struct stat about{};
  return lstat(path.c_str(), &about) == 0 || errno != ENOENT;
}

Error failed_with(const std::string& path, const std::string& what, int number) {
  const std::string reason = std::generic_category().message(number);
  if (number == ENOSPC || number == EDQUOT) {
    return {disk_full_code, "The store " + path + " could not be repaired, because the disk is full: free some space"};
  }
  return {"store-io", "The store " + path + " could not be repaired: " + what + " (" + reason +
                          "): check the disk and the permissions of its folder, and try again"};
}

// A file that is open only to be synced or locked. Precondition: this process has no connection to it, because closing
// a file ends all locks that the process has on it.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) noexcept
      : file_(::open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (file_ >= 0) ::close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const noexcept { return file_ >= 0; }
  bool sync() const noexcept { return file_ >= 0 && ::fsync(file_) == 0; }
  // Locks a byte that SQLite does not use. This lock belongs to the open file, not to the process.
  bool lock() const noexcept {
    struct flock wanted{};
    wanted.l_type = F_WRLCK;
    wanted.l_whence = SEEK_SET;
    wanted.l_len = 1;
    return file_ >= 0 && ::fcntl(file_, F_OFD_SETLK, &wanted) == 0;
  }
  bool is_at(const std::string& path) const noexcept {
    struct stat here{};
    struct stat there{};
    return ::fstat(file_, &here) == 0 && lstat(path.c_str(), &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
  }

 private:
  int file_;
};

bool sync_folder(const std::string& path) {
  const OpenFile folder(std::filesystem::path(path).parent_path().string(), O_RDONLY | O_DIRECTORY);
  return folder.sync();
}

// Returns the suffix of the damaged file if PATH.repaired is complete. Null: it is not, or there is none.
Result<std::optional<std::string>> read_mark(const std::string& path) {
  struct stat about{};
  const std::string repaired = repaired_path(path);
  if (lstat(repaired.c_str(), &about) != 0) {
    if (errno == ENOENT) return std::optional<std::string>();
    return failed_with(path, repaired + " can't be examined", errno);
  }
  if (!S_ISREG(about.st_mode) || about.st_uid != geteuid() || about.st_size == 0) return std::optional<std::string>();
  const auto file = Database::open_immutable(repaired);
  if (!file) return file.error();
  auto suffix = meta(*file.value(), mark);
  if (!suffix) {
    const std::string_view code = suffix.error().code;
    if (code == "store-damaged" || code == "store-foreign") return std::optional<std::string>();
    return suffix.error();
  }
  const bool is_ours = suffix.value().starts_with(damaged_suffix) && suffix.value().find('/') == std::string::npos;
  return is_ours ? std::optional(std::move(suffix).value()) : std::optional<std::string>();
}

std::optional<std::string> unused_suffix(const std::string& path) {
  for (int number = 1; number < 1'000; ++number) {
    std::string suffix(damaged_suffix);
    if (number > 1) suffix += "." + std::to_string(number);
    bool used = false;
    for (const char* part : parts) used = used || exists(path + suffix + part);
    if (!used) return suffix;
  }
  return std::nullopt;
}

Result<void> mark_complete(const std::string& path, const std::string& suffix) {
  SqliteStoreOptions options;
  options.create = false;
  options.durability = Durability::full;
  const auto file = Database::open(repaired_path(path), options);
  if (!file) return file.error();
  if (auto ready = prepare_tables(*file.value(), options); !ready) return ready;
  if (auto set = in_transaction(*file.value(), [&] { return set_meta(*file.value(), mark, suffix); }); !set) return set;
  return file.value()->run("PRAGMA wal_checkpoint(TRUNCATE)");
}

// The last two steps. Precondition: the caller has locked PATH.repaired. The file is moved before its log: a log
// without its file does no harm, but a file without its log would be an older version of the store.
Result<void> take_place(const std::string& path, const std::string& suffix) {
  const std::string aside = path + suffix;
  for (const char* part : parts) {
    if (std::rename((path + part).c_str(), (aside + part).c_str()) == 0 || errno == ENOENT) continue;
    const int number = errno;
    if (*part != '\0') {
      for (const char* moved : parts) {
        if (moved == part) break;
        std::rename((aside + moved).c_str(), (path + moved).c_str());
      }
    }
    return failed_with(path, path + part + " can't be renamed", number);
  }
  if (!sync_folder(path)) return failed_with(path, "its folder can't be synced", errno);
  if (std::rename(repaired_path(path).c_str(), path.c_str()) != 0) {
    return failed_with(path, repaired_path(path) + " can't be renamed", errno);
  }
  if (!sync_folder(path)) return failed_with(path, "its folder can't be synced", errno);
  return {};
}

}  // namespace

std::string repaired_path(const std::string& path) { return path + ".repaired"; }
std::string mended_path(const std::string& path) { return path + ".mended"; }

std::vector<std::string> leftovers_of(const std::string& path) {
  std::vector<std::string> found;
  for (const std::string& file : {repaired_path(path), mended_path(path)}) {
    for (const char* part : parts) {
      if (exists(file + part)) found.push_back(file + part);
    }
  }
  return found;
}

void remove_leftovers(const std::string& path) noexcept {
  for (const std::string& file : leftovers_of(path)) ::unlink(file.c_str());
}

namespace {

bool is_longer_than(const std::string& path, off_t size) noexcept {
  struct stat about{};
  return lstat(path.c_str(), &about) == 0 ? about.st_size > size : errno != ENOENT;
}

}  // namespace

bool has_bytes(const std::string& path) noexcept { return is_longer_than(path, 0); }

// The log first: a process that makes the file writes no log before the file has bytes. SQLite takes a file of one byte
// for an empty one.
bool is_emptied(const std::string& path) noexcept { return has_bytes(path + "-wal") && !is_longer_than(path, 1); }

std::string find_traces_beside(const std::string& path) {
  if (has_bytes(path + "-wal")) return path + "-wal";
  for (const std::string& file : {path + std::string(damaged_suffix), repaired_path(path)}) {
    if (exists(file)) return file;
  }
  return {};
}

Result<std::string> put_in_place(const std::string& path) {
  const auto suffix = unused_suffix(path);
  if (!suffix) return failed_with(path, "there are too many damaged files beside it", EEXIST);
  if (auto marked = mark_complete(path, *suffix); !marked) return marked.error();
  const std::string repaired = repaired_path(path);
  if (has_bytes(repaired + "-wal")) return failed_with(path, repaired + " can't be completed", EBUSY);
  const OpenFile file(repaired, O_RDWR);
  if (!file.sync() || !sync_folder(path)) return failed_with(path, repaired + " can't be synced", errno);
  if (!file.lock()) return failed_with(path, repaired + " can't be locked", errno);
  if (auto placed = take_place(path, *suffix); !placed) return placed.error();
  return path + *suffix;
}

Result<bool> is_unfinished(const std::string& path) {
  if (exists(path)) return false;
  const auto suffix = read_mark(path);
  if (!suffix) return suffix.error();
  return suffix.value().has_value();
}

Error unfinished_repair(const std::string& path) {
  return {"store-damaged", "A repair of the store " + path + " was interrupted, and its contents are in " +
                               repaired_path(path) + ": robotrules db " + path + " check --repair finishes it"};
}

Result<bool> finish_repair(const std::string& path) {
  const auto suffix = read_mark(path);
  if (!suffix) return suffix.error();
  if (!suffix.value()) return false;
  const OpenFile file(repaired_path(path), O_RDWR);
  if (!file.is_open() && errno == ENOENT) return true;  // another process has just finished it
  if (!file.is_open()) return failed_with(path, repaired_path(path) + " can't be opened", errno);
  if (!file.lock()) {
    return Error{"store-busy", "The store " + path + " is being repaired by another process: try again"};
  }
  if (exists(path) || !file.is_at(repaired_path(path))) return true;
  if (auto placed = take_place(path, *suffix.value()); !placed) return placed.error();
  remove_leftovers(path);
  return true;
}

}  // namespace robotrules::store
