#include "cli/io/replace_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

class ClosingFile {
 public:
  explicit ClosingFile(int number) noexcept : number_(number) {}
  ~ClosingFile() {
    if (number_ >= 0) ::close(number_);
  }
  ClosingFile(const ClosingFile&) = delete;
  ClosingFile& operator=(const ClosingFile&) = delete;
  int number() const noexcept { return number_; }

 private:
  int number_;
};

// Returns the errno of the failed call, or 0. EINVAL: the file system has no sync.
int sync_file(int file) noexcept { return ::fsync(file) == 0 || errno == EINVAL ? 0 : errno; }

// The mode comes last, because a change of the owner takes bits of it away.
int write_like(const struct stat& original, int file, std::string_view bytes) {
  if (::fchown(file, original.st_uid, original.st_gid) != 0 && errno != EPERM) return errno;
  if (::fchmod(file, original.st_mode & 07777) != 0) return errno;
  if (const int error = try_write(file, bytes); error != 0) return error;
  return sync_file(file);
}

}  // namespace

std::string replace_file(const std::string& path, std::string_view bytes) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  if (!resolved) return error_text(errno);
  const std::string target = resolved.get();
  struct stat original{};
  if (::lstat(target.c_str(), &original) != 0) return error_text(errno);
  if (!S_ISREG(original.st_mode)) return "it is not a regular file";
  const std::string folder = target.substr(0, target.rfind('/') + 1);
  std::string beside = folder + ".robotrules-XXXXXX";
  const ClosingFile file(::mkostemp(beside.data(), O_CLOEXEC));  // with O_EXCL and mode 0600
  if (file.number() < 0) return error_text(errno);
  int error = write_like(original, file.number(), bytes);
  if (error == 0 && std::rename(beside.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(beside.c_str());
    return error_text(error);
  }
  const ClosingFile opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) error = sync_file(opened.number());
  return error == 0 ? std::string() : "its folder: " + error_text(error);
}

}  // namespace robotrules::cli
