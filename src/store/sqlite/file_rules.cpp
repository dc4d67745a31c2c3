// Checks of a store's path: the file must be the user's own, in a directory where no other user can replace it.
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <robotrules/open_store.hpp>

#include "store/sqlite/database.hpp"
#include "store/sqlite/repair_place.hpp"

namespace robotrules::store {
namespace {

std::string system_message(int number) { return std::error_code(number, std::generic_category()).message(); }

Error path_error(const std::string& path, const std::string& what) {
  return {"store-path", "The store " + path + " " + what};
}

bool is_on_network(const struct statfs& info) {
  constexpr unsigned long known[] = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42, 0x01021997,
                                     0x5346414F, 0x73757245, 0x65735546, 0x00C36400, 0x0BD00BD0};
  for (const unsigned long type : known) {  // NFS, SMB, CIFS, SMB 2, 9P, AFS, Coda, FUSE, Ceph, Lustre
    if ((static_cast<unsigned long>(info.f_type) & 0xFFFFFFFF) == type) return true;
  }
  return false;
}

// Returns why a store cannot be on the file system of the directory. Empty: it can.
std::string find_fault_of_disk(const std::string& directory, const SqliteStoreOptions& options) {
  struct statfs info{};
  if (statfs(directory.c_str(), &info) != 0) return {};
  if ((info.f_flags & ST_RDONLY) != 0 && !options.accept_read_only) {
    return "is on a read-only file system, but it must be written: copy the file, and its -wal file if there is one, "
           "to a folder that you own";
  }
  if (options.network_file_system || !is_on_network(info)) return {};
  return "is on a network file system, whose locks are not reliable: choose a local disk";
}

std::string name_of(uid_t user) {
  std::array<char, 4'096> text{};
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(user, &entry, text.data(), text.size(), &found) == 0 && found != nullptr) return found->pw_name;
  return "with the id " + std::to_string(user);
}

// Returns "robotrules: run the command as that user (runuser -u robotrules -- ...)".
std::string name_and_remedy(uid_t user) {
  const std::string name = name_of(user);
  const bool has_name = name.find(' ') == std::string::npos;
  const bool is_root = geteuid() == 0;
  return name + ", who could replace it: run the command as that user" +
         (is_root && has_name ? " (runuser -u " + name + " -- ...)" : "");
}

bool others_may_write(const struct stat& about) {
  return (about.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (about.st_mode & S_ISVTX) == 0;
}

// Returns true if the group is the user's private group: the group has the user's number, and only this user is in it.
// New folders are often writable by this group.
bool is_own_group(const struct stat& about) { return about.st_gid == getegid() && getegid() == geteuid(); }

// The owner that stat() shows for root's files in a user namespace to which root is not mapped.
constexpr uid_t unmapped_user = 65'534;

// Returns why another user could replace the directory by renaming a directory above it. Empty: no other user can.
std::string find_danger_above(const std::filesystem::path& directory) {
  for (auto above = directory; above != above.parent_path();) {
    above = above.parent_path();
    struct stat about{};
    if (stat(above.c_str(), &about) != 0)
      return "is below " + above.string() + ", which can't be examined: check its permissions";
    if (others_may_write(about) && ((about.st_mode & S_IWOTH) != 0 || !is_own_group(about))) {
      return "is below " + above.string() + ", where other users can write, so they could replace it: run chmod go-w " +
             above.string() + ", or choose another place";
    }
    if (about.st_uid != geteuid() && about.st_uid != 0 && about.st_uid != unmapped_user) {
      return "is below " + above.string() + ", a directory of the user " + name_and_remedy(about.st_uid) +
             ", or choose a directory that you own";
    }
  }
  return {};
}

// Removes the permissions of all other users, who must not see which pages are fetched and with which header fields.
// SQLite gives its log and its shared memory the mode of the file, but older ones may already exist.
bool restrict_to_owner(const std::string& path) {
  constexpr mode_t owner = S_IRUSR | S_IWUSR;
  for (const char* part : {"", "-wal", "-shm"}) {
    const std::string file = path + part;
    struct stat about{};
    if (lstat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) continue;  // SQLite itself refuses links
    // chmod() needs no descriptor. Closing one would end the locks that SQLite has on the file in this process.
    if ((about.st_mode & ~owner & 0777) != 0 && chmod(file.c_str(), about.st_mode & owner) != 0) return false;
  }
  return true;
}

// Returns why a store cannot be in the directory, as the rest of a sentence. Empty: it can.
std::string find_fault_of_directory(const std::filesystem::path& directory, const SqliteStoreOptions& options) {
  struct stat about{};
  if (stat(directory.c_str(), &about) != 0)
    return "is in a directory that can't be examined (" + system_message(errno) + "): check its permissions";
  if (others_may_write(about)) {
    return "is in a directory where other users can write, so they could replace it: run chmod go-w " +
           directory.string() + ", or choose another directory";
  }
  if (about.st_uid != geteuid() && about.st_uid != 0) {
    return "is in a directory of the user " + name_and_remedy(about.st_uid) + ", or choose a directory that you own";
  }
  if (std::string danger = find_danger_above(directory); !danger.empty()) return danger;
  return find_fault_of_disk(directory.string(), options);
}

// Returns why the file cannot be a store, as the rest of a sentence. Empty: it can.
std::string find_fault_of_file(const struct stat& about) {
  if (S_ISLNK(about.st_mode)) return "is a symbolic link: give the path of the file itself";
  if (!S_ISREG(about.st_mode)) return "is not a regular file: give the path of a file";
  if (about.st_uid != geteuid()) {
    return "belongs to the user " + name_and_remedy(about.st_uid) + ", or run chown on it";
  }
  if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return "is writable by others, who could change its rules: run chmod go-w on it";
  }
  return {};
}

}  // namespace

std::string_view path_in(std::string_view name) noexcept {
  constexpr std::string_view scheme = "sqlite:";
  return name.starts_with(scheme) ? name.substr(scheme.size()) : name;
}

bool is_writable(const std::string& path) {
  const auto may_write = [](const std::string& there) {
    return faccessat(AT_FDCWD, there.c_str(), W_OK, AT_EACCESS) == 0;
  };
  return may_write(path) && may_write(std::filesystem::path(path).parent_path().string());
}

Result<std::string> checked_path(const std::string& path, const SqliteStoreOptions& options, Unfinished unfinished) {
  namespace fs = std::filesystem;
  if (path.empty() || path.find('\0') != std::string::npos) {
    return Error{"store-path", "The path of the store is empty or contains a NUL byte: give the path of a file"};
  }
  const fs::path given(path);
  if (given.filename().empty() || given.filename() == "." || given.filename() == "..") {
    return path_error(path, "is a directory: give the path of a file");
  }
  std::error_code failed;
  const fs::path directory = fs::canonical(given.has_parent_path() ? given.parent_path() : fs::path("."), failed);
  if (failed)
    return path_error(path,
                      "is in a directory that can't be used (" + failed.message() + "): create the directory first");

  if (const std::string fault = find_fault_of_directory(directory, options); !fault.empty())
    return path_error(path, fault);
  const std::string full = (directory / given.filename()).string();
  struct stat about{};
  if (lstat(full.c_str(), &about) == 0) {
    if (const std::string fault = find_fault_of_file(about); !fault.empty()) return path_error(path, fault);
    if (!restrict_to_owner(full) && !(options.accept_read_only && errno == EROFS)) {
      return path_error(path, "is readable by others, and its mode can't be changed (" + system_message(errno) +
                                  "): run chmod go-rwx on it, or give another path");
    }
    return full;
  }
  if (errno != ENOENT)
    return path_error(path, "can't be examined (" + system_message(errno) + "): check its permissions");
  const auto interrupted = is_unfinished(full);
  if (!interrupted) return interrupted.error();
  if (interrupted.value()) {
    const bool may_finish = !options.accept_read_only || faccessat(AT_FDCWD, directory.c_str(), W_OK, AT_EACCESS) == 0;
    if (unfinished == Unfinished::is_error || !may_finish) return unfinished_repair(full);
    const auto finished = finish_repair(full);
    return finished ? checked_path(path, options) : finished.error();
  }
  if (!options.create) return Error{"store-missing", "There is no store " + path + ": check the path"};
  const int file = ::open(full.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0 && errno != EEXIST)
    return path_error(path, "can't be created (" + system_message(errno) + "): check the permissions of its folder");
  if (file < 0) return checked_path(path, options);  // another process has just made it
  ::close(file);
  return full;
}

}  // namespace robotrules::store
