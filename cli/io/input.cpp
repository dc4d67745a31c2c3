#include "cli/io/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/escape.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() {
    if (number_ > STDERR_FILENO) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const noexcept { return number_; }

 private:
  int number_;
};

// Returns the number of bytes read, 0 at the end, or -1 with errno after an error.
ssize_t read_some(int descriptor, char* into, std::size_t size) {
  ssize_t got;
  do {
    got = ::read(descriptor, into, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

FileBytes failed(const std::string& name, int error) {
  FileBytes file;
  file.missing = error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
  file.error = name + ": " + error_text(error);
  if (error == EISDIR) file.error += "; give a file in it";
  if (error == ENOENT) file.error += "; check the name";
  if (error == EACCES) file.error += "; check its permissions";
  return file;
}

FileBytes read_rest(int descriptor, const std::string& name, std::size_t expected) {
  FileBytes file;
  file.bytes.resize(std::clamp(expected, std::size_t{4096}, max_file_bytes) +
                    1);  // one more byte, to see the end without growing
  std::size_t size = 0;
  for (;;) {
    if (size == file.bytes.size()) file.bytes.resize(std::min(size * 2, max_file_bytes + 1));
    const ssize_t got = read_some(descriptor, file.bytes.data() + size, file.bytes.size() - size);
    if (got < 0) return failed(name, errno);
    size += static_cast<std::size_t>(got);
    if (size > max_file_bytes) {
      FileBytes refused;
      refused.error = name + ": longer than 64 MiB; give only the first part of the file";
      return refused;
    }
    if (got == 0) break;
  }
  file.bytes.resize(size);
  file.bytes.shrink_to_fit();
  return file;
}

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

std::string input_name(std::string_view path) { return path == "-" ? "standard input" : printable_url(path); }

FileBytes read_file(const std::string& path) {
  const std::string name = input_name(path);
  const Descriptor descriptor(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.number() < 0) return failed(name, errno);
  struct stat about{};
  if (::fstat(descriptor.number(), &about) != 0) return failed(name, errno);
  if (S_ISDIR(about.st_mode)) return failed(name, EISDIR);
  return read_rest(descriptor.number(), name,
                   S_ISREG(about.st_mode) ? static_cast<std::size_t>(about.st_size) : std::size_t{64} << 10);
}

FileBytes read_file_at(int directory, const std::string& directory_name, const std::string& name) {
  const std::string full = base::printable(directory_name + "/" + name);
  // O_NONBLOCK avoids waiting for the writer of a FIFO, which is refused below.
  const Descriptor descriptor(::openat(directory, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.number() < 0) return failed(full, errno);
  struct stat about{};
  if (::fstat(descriptor.number(), &about) != 0) return failed(full, errno);
  if (!S_ISREG(about.st_mode)) {
    FileBytes refused;
    refused.error = full + ": not a regular file; put a regular file there";
    return refused;
  }
  return read_rest(descriptor.number(), full, static_cast<std::size_t>(about.st_size));
}

bool LineReader::next(std::string& line) {
  std::size_t searched = begin_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos || (ended_ && begin_ < buffer_.size())) {
      const std::size_t stop = std::min(end, buffer_.size());
      line.assign(buffer_, begin_, stop - begin_);
      if (line.ends_with('\r')) line.pop_back();
      begin_ = std::min(stop + 1, buffer_.size());
      return true;
    }
    if (ended_) return false;
    if (buffer_.size() - begin_ > max_line_bytes) {
      error_ = "a line is longer than 16 MiB; write one URL per line";
      ended_ = true;
      buffer_.clear();
      begin_ = 0;
      return false;
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched = buffer_.size();
    constexpr std::size_t piece = std::size_t{64} * 1024;
    buffer_.resize(searched + piece);
    const ssize_t got = read_some(descriptor_, buffer_.data() + searched, piece);
    if (got < 0) error_ = "cannot read the input: " + error_text(errno);
    if (got <= 0) ended_ = true;
    buffer_.resize(searched + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) return false;
  }
}

std::string replace_file(const std::string& path, std::string_view bytes) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  if (!resolved) return error_text(errno);
  const std::string target = resolved.get();
  struct stat original{};
  if (::lstat(target.c_str(), &original) != 0) return error_text(errno);
  if (!S_ISREG(original.st_mode)) return "it is not a regular file";
  const std::string folder = target.substr(0, target.rfind('/') + 1);
  std::string beside = folder + ".robotrules-XXXXXX";
  const Descriptor file(::mkostemp(beside.data(), O_CLOEXEC));  // with O_EXCL and mode 0600
  if (file.number() < 0) return error_text(errno);
  int error = write_like(original, file.number(), bytes);
  if (error == 0 && std::rename(beside.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(beside.c_str());
    return error_text(error);
  }
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) error = sync_file(opened.number());
  return error == 0 ? std::string() : "its folder: " + error_text(error);
}

}  // namespace robotrules::cli
