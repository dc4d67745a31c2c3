#include "store/sqlite/place.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace robotrules::store {
namespace {

// Times of changes come in steps, by the clock of the machine that has the disk. Once a folder has looked the same for
// longer than a step, its next change gives it another time. Times with digits below a millisecond are those of a
// kernel's clock, which goes on every 16 ms or sooner; others may be of a file system that counts seconds, or two
// (FAT).
constexpr std::chrono::milliseconds longest_step(long nanoseconds) {
  return std::chrono::milliseconds(nanoseconds % 1'000'000 != 0 ? 100 : 3'000);
}

}  // namespace

std::optional<FileId> file_at(const std::string& path) noexcept {
  struct stat about{};
  if (stat(path.c_str(), &about) != 0) return std::nullopt;
  return FileId(about.st_dev, about.st_ino);
}

Place::Place(const std::string& path, FileId opened, std::function<Time()> clock)
    : clock_(std::move(clock)),
      parts_{Part{path, opened}, Part{path + "-wal"}, Part{path + "-shm"}},
      folder_path_(std::filesystem::path(path).parent_path()) {
  if (folder_path_.empty()) folder_path_ = ".";
}

// The time of the last change of names (st_mtime) can be set, for example by a program that restores a backup, but
// st_ctime cannot.
std::optional<Place::Folder> Place::folder_at(const std::string& path) noexcept {
  struct stat about{};
  if (stat(path.c_str(), &about) != 0) return std::nullopt;
  return Folder{{about.st_dev, about.st_ino}, {about.st_ctim.tv_sec, about.st_ctim.tv_nsec}};
}

// The folder is examined before the files, so that a change in between is seen at the next call.
const std::string* Place::find_moved() {
  const auto folder = folder_at(folder_path_);
  const bool is_same = folder == folder_;
  if (is_same && is_checked_) return nullptr;
  const Time now = clock_();
  if (!is_same) {
    folder_ = folder;
    seen_ = now;
  }
  const std::string* const moved = find_moved_part();
  is_checked_ = moved == nullptr && folder_ && now - seen_ >= longest_step(folder_->changed.second);
  return moved;
}

const std::string* Place::find_moved_part() {
  const auto moved = std::find_if(parts_.begin(), parts_.end(), [](Part& part) {
    const auto file = file_at(part.path);
    if (!part.file) part.file = file;
    return part.file != file;
  });
  return moved == parts_.end() ? nullptr : &moved->path;
}

}  // namespace robotrules::store
