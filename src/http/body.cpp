#include <robotrules/message.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace robotrules {
namespace {

// Bytes in the temporary files of this process. If a disk is full although they have less than `min_room`, nothing
// else fits on it either. If they have more, there is room again when one of them is deleted.
std::atomic<std::uint64_t> bytes_in_files{0};
constexpr std::uint64_t min_room = std::uint64_t{64} * 1024;

std::string_view code_of(int error) noexcept {
  if (error == EFBIG) return disk_too_small_code;  // the limit of the process on the size of a file
  if (error != ENOSPC && error != EDQUOT) return "spool-failed";
  return bytes_in_files < min_room ? disk_full_code : disk_too_small_code;
}

Error spool_error(const std::string& folder, const std::string& what, int error) {
  return {code_of(error),
          "the temporary file for a body in " + folder + ' ' + what + ": " + std::generic_category().message(error)};
}

int open_nameless(const std::string& folder) {
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  std::string name = folder + "/.robotrules-XXXXXX";  // this file system does not support files without names
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

Result<std::shared_ptr<SpoolFile>> SpoolFile::make(const std::string& folder) {
  const int file = open_nameless(folder);
  if (file < 0) return spool_error(folder, "cannot be created", errno);
  try {
    return std::shared_ptr<SpoolFile>(new SpoolFile(folder, file));
  } catch (...) {
    close(file);
    throw;
  }
}

SpoolFile::~SpoolFile() {
  close(file_);
  bytes_in_files -= size_;
}

Result<void> SpoolFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return spool_error(folder_, "cannot be written", errno);
    size_ += static_cast<std::uint64_t>(written);
    bytes_in_files += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::size_t> SpoolFile::read(std::uint64_t offset, char* to, std::size_t room) const {
  while (true) {
    const ssize_t got = pread(file_, to, room, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return spool_error(folder_, "cannot be read", errno);
    return static_cast<std::size_t>(got);
  }
}

Result<void> BodyView::for_each_piece(const std::function<Result<void>(std::string_view piece)>& each) const {
  if (!in_memory_.empty()) {
    if (auto done = each(in_memory_); !done) return done;
  }
  if (rest_ == nullptr) return {};
  const auto room = std::make_unique_for_overwrite<std::array<char, std::size_t{64} * 1024>>();
  for (std::uint64_t at = 0; at < rest_->size();) {
    const auto got = rest_->read(at, room->data(), room->size());
    if (!got) return got.error();
    if (got.value() == 0) return Error{"spool-failed", "the temporary file of a body became shorter while it was read"};
    at += got.value();
    if (auto done = each({room->data(), got.value()}); !done) return done;
  }
  return {};
}

Result<std::string> BodyView::text() const {
  std::string all;
  all.reserve(static_cast<std::size_t>(size()));
  auto read = for_each_piece([&all](std::string_view piece) {
    all += piece;
    return Result<void>();
  });
  if (!read) return read.error();
  return all;
}

}  // namespace robotrules
