#include "http/file_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "http/mirror.hpp"

namespace robotrules::agent {

FileWriter::FileWriter(std::string path, FileMode mode) : path_(std::move(path)), beside_(path_ + ".XXXXXX") {
  file_ = mkostemp(beside_.data(), O_CLOEXEC);  // mode 0600; does not follow links
  if (file_ < 0) {
    fail("cannot be created");
    return;
  }
  if (mode == FileMode::secret) return;
  struct stat there{};
  if (stat(path_.c_str(), &there) == 0 && S_ISREG(there.st_mode)) fchmod(file_, there.st_mode & 0777);
}

FileWriter::~FileWriter() {
  if (file_ < 0) return;
  close(file_);
  unlink(beside_.c_str());
}

bool FileWriter::fail(const char* what) {
  sentence_ = path_ + ' ' + what + ": " + std::strerror(errno);
  return false;
}

bool FileWriter::write(std::string_view bytes) {
  if (file_ < 0) return false;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail("cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void FileWriter::note(const std::string& text) {
  if (file_ < 0 || text.empty()) return;
  // Without the attribute the ETag is not used.
  if (fsetxattr(file_, mirror_attribute, text.data(), text.size(), 0) != 0) errno = 0;
}

bool FileWriter::finish(std::optional<Timestamp> modified) {
  if (file_ < 0) return false;
  if (modified) {
    const auto since = modified->time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
    timespec times[2] = {{0, UTIME_OMIT}, {}};
    times[1].tv_sec = seconds.count();
    times[1].tv_nsec = std::chrono::nanoseconds(since - seconds).count();
    futimens(file_, times);  // an error is ignored: the body counts more than the time
  }
  if (fsync(file_) != 0) return fail("cannot be written");
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) return fail("cannot be put in place");
  close(file_);
  file_ = -1;
  return true;
}

}  // namespace robotrules::agent
