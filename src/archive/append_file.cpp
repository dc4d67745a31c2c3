#include "archive/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "archive/write_all.hpp"
#include "base/escape.hpp"

namespace robotrules::archive {

Error output_error(const std::string& path, std::string_view what, int error) {
  return {error == ENOSPC || error == EDQUOT ? disk_full_code : "output-failed",
          base::printable(path) + " " + std::string(what) + ": " + std::generic_category().message(error) +
              (error == EFBIG ? "; raise the limit on the size of files (ulimit -f), or give another file" : "")};
}

Error final_output_error(const std::string& path, std::string_view what, int error) {
  return {"output-failed", output_error(path, what, error).message};
}

namespace {

// EINVAL: it is a pipe, or a file system without sync.
bool is_synced(int result) noexcept { return result == 0 || errno == EINVAL || errno == EROFS; }

// Brings the names of new files in the folder of `path` to the disk. A folder that cannot be opened is left out.
Result<void> sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return {};
  const bool synced = is_synced(fsync(opened));
  const int error = errno;
  close(opened);
  return synced ? Result<void>() : final_output_error(folder, "cannot be synced to the disk", error);
}

bool is_same(const struct stat& one, const struct stat& other) noexcept {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

AppendFile::AppendFile(std::string path, int file, bool is_new) noexcept
    : path_(std::move(path)), file_(file), is_new_(is_new) {}

AppendFile::~AppendFile() {
  take_back();  // of a writer that threw
  close(file_);
}

void AppendFile::remove_if_new() noexcept {
  if (is_new_ && is_regular_ && position_ == 0) std::remove(path_.c_str());
}

Result<std::unique_ptr<AppendFile>> AppendFile::open(const std::string& path, Readers readers) {
  struct stat link{};
  const bool is_new = lstat(path.c_str(), &link) != 0;
  if (!is_new && S_ISLNK(link.st_mode) && link.st_uid != geteuid() && link.st_uid != 0) {
    return Error{"output-failed",
                 base::printable(path) + " is a link that belongs to another user; name the file itself"};
  }
  const mode_t mode = readers == Readers::owner ? 0600 : 0666;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode);
  if (file < 0) return output_error(path, "cannot be opened for writing", errno);
  return opened(std::unique_ptr<AppendFile>(new AppendFile(path, file, is_new)), readers);
}

Result<std::unique_ptr<AppendFile>> AppendFile::create(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return output_error(path, "cannot be created", errno);
  return opened(std::unique_ptr<AppendFile>(new AppendFile(path, file, true)), Readers::anyone);
}

Result<std::unique_ptr<AppendFile>> AppendFile::opened(std::unique_ptr<AppendFile> file, Readers readers) {
  const std::string& path = file->path_;
  struct stat there{};
  if (fstat(file->file_, &there) != 0) return output_error(path, "cannot be examined", errno);
  if (!S_ISREG(there.st_mode)) {  // data cannot be taken back from a pipe or a terminal
    file->is_new_ = false;
    return file;
  }
  if (flock(file->file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return output_error(path, "cannot be locked", errno);
    return Error{"output-busy",
                 base::printable(path) + " is being written by another process; give each process its own file"};
  }
  if (fstat(file->file_, &there) != 0) return output_error(path, "cannot be examined", errno);
  if (readers == Readers::owner && (there.st_mode & 077U) != 0 && fchmod(file->file_, there.st_mode & 0700U) != 0) {
    return output_error(path, "cannot be protected from other readers", errno);
  }
  file->is_regular_ = true;
  file->position_ = static_cast<std::uint64_t>(there.st_size);
  return file;
}

Result<void> AppendFile::add(std::string_view bytes) {
  constexpr std::size_t max_added = std::size_t{1} << 20;
  if (added_.size() + bytes.size() < max_added) {
    added_ += bytes;
    return {};
  }
  if (auto done = write(added_); !done) return done;
  added_.clear();
  return write(bytes);
}

Result<void> AppendFile::commit() {
  if (auto done = write(added_); !done) return done;
  added_.clear();
  position_ += std::exchange(written_, 0);
  return {};
}

Result<void> AppendFile::write(std::string_view bytes) {
  const std::size_t size = bytes.size();
  const int error = write_all(file_, bytes);
  written_ += size - bytes.size();
  if (error == 0) return {};
  const bool began = written_ > 0;
  take_back();
  if (began && written_ > 0) {
    return final_output_error(path_, "ends within a record, and the incomplete record cannot be removed", error);
  }
  if (!is_regular_) return final_output_error(path_, "cannot be written", error);
  return output_error(path_, "cannot be written", error);
}

Result<void> AppendFile::cut(std::uint64_t position) {
  if (ftruncate(file_, static_cast<off_t>(position)) != 0) return output_error(path_, "cannot be shortened", errno);
  position_ = position;
  return {};
}

void AppendFile::take_back() noexcept {
  added_.clear();
  if (written_ > 0 && ftruncate(file_, static_cast<off_t>(position_)) == 0) written_ = 0;
}

Result<void> AppendFile::check_place() const {
  struct stat mine{};
  struct stat there{};
  if (!is_regular_ || fstat(file_, &mine) != 0) return {};
  const bool is_found = stat(path_.c_str(), &there) == 0;
  const bool is_missing = !is_found && (errno == ENOENT || errno == ENOTDIR);
  if (is_found ? is_same(mine, there) : !is_missing) return {};
  return Error{"output-moved", base::printable(path_) +
                                   " is no longer the file that was opened: it was moved, replaced or deleted. Put it "
                                   "back and run the command again, or give another output"};
}

Result<void> AppendFile::reopen() {
  struct stat mine{};
  struct stat there{};
  if (fstat(file_, &mine) != 0) return output_error(path_, "cannot be examined", errno);
  if (stat(path_.c_str(), &there) == 0 && is_same(mine, there)) {
    if (is_regular_) position_ = static_cast<std::uint64_t>(mine.st_size);  // it may have been shortened in place
    return {};
  }
  if (auto synced = sync(); !synced) return synced;
  auto opened = open(path_);
  if (!opened) return opened.error();
  std::swap(file_, opened.value()->file_);
  is_regular_ = opened.value()->is_regular_;
  position_ = opened.value()->position_;
  return {};
}

Result<void> AppendFile::sync() {
  // Also without room: the system may have dropped data of earlier pages, so a second sync would prove nothing.
  if (!is_synced(fdatasync(file_))) return final_output_error(path_, "cannot be synced to the disk", errno);
  return std::exchange(is_new_, false) ? sync_folder_of(path_) : Result<void>();
}

Result<void> replace_file(const std::string& path, const std::function<Result<void>(AppendFile& into)>& write) {
  const std::string name = path + ".new";
  std::remove(name.c_str());  // left by a process that was killed
  auto file = AppendFile::create(name);
  if (!file) return file.error();
  auto done = write(*file.value());
  if (done) done = file.value()->commit();
  if (done) done = file.value()->sync();
  if (done && std::rename(name.c_str(), path.c_str()) != 0) done = output_error(path, "cannot be replaced", errno);
  if (done) return sync_folder_of(path);
  std::remove(name.c_str());
  return done;
}

}  // namespace robotrules::archive
