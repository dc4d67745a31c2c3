#include "cli/get/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <utility>

#include "cli/text.hpp"

namespace robotrules::cli {

Error output_error(const std::string& path, std::string_view what, int error) {
  return {"output-failed", printable(path) + " " + std::string(what) + ": " + error_text(error)};
}

AppendFile::AppendFile(std::string path, int file, std::uint64_t position) noexcept
    : path_(std::move(path)), file_(file), position_(position) {}

AppendFile::~AppendFile() { close(file_); }

Result<std::unique_ptr<AppendFile>> AppendFile::open(const std::string& path, Readers readers) {
  struct stat link{};
  if (lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode) && link.st_uid != geteuid() && link.st_uid != 0) {
    return Error{"output-failed", printable(path) + " is a link that belongs to another user; name the file itself"};
  }
  const mode_t mode = readers == Readers::owner ? 0600 : 0666;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode);
  if (file < 0) return output_error(path, "can't be opened for writing", errno);
  std::unique_ptr<AppendFile> opened(new AppendFile(path, file, 0));
  struct stat there{};
  if (fstat(file, &there) != 0) return output_error(path, "can't be looked at", errno);
  if (!S_ISREG(there.st_mode)) return opened;  // a pipe, a terminal: nothing of it is ever taken back
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return output_error(path, "can't be locked", errno);
    return Error{"output-busy", printable(path) + " is being written by another process; give each a file of its own"};
  }
  if (fstat(file, &there) != 0) return output_error(path, "can't be looked at", errno);
  if (readers == Readers::owner && (there.st_mode & 077U) != 0 && fchmod(file, there.st_mode & 0700U) != 0) {
    return output_error(path, "can't be closed to other readers", errno);
  }
  opened->position_ = static_cast<std::uint64_t>(there.st_size);
  return opened;
}

Result<void> AppendFile::append(std::string_view octets) {
  std::string_view left = octets;
  while (!left.empty()) {
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      if (left.size() < octets.size() && ftruncate(file_, static_cast<off_t>(position_)) != 0) {
        return output_error(path_, "is cut within a record, and can't be mended", error);
      }
      return output_error(path_, "can't be written", error);
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  position_ += octets.size();
  return {};
}

Result<void> AppendFile::cut(std::uint64_t position) {
  if (ftruncate(file_, static_cast<off_t>(position)) != 0) return output_error(path_, "can't be cut", errno);
  position_ = position;
  return {};
}

Result<void> AppendFile::sync() {
  if (fdatasync(file_) == 0 || errno == EINVAL || errno == EROFS) return {};  // EINVAL: a pipe has no disk
  return output_error(path_, "can't be brought to the disk", errno);
}

}  // namespace robotrules::cli
