// Whether an open store is still at its place.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace robotrules::store {

// A file or a folder, by device and inode.
using FileId = std::pair<dev_t, ino_t>;

// Returns the file at the path, following links, or null if it cannot be examined.
std::optional<FileId> file_at(const std::string& path) noexcept;

// The file of a store, its log (-wal) and the index of the log (-shm), as they were opened.
class Place {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `opened`: the file that was opened. SQLite makes the other two later, and deletes them only when the last
  // connection ends: each is the file that is first seen at its path. `clock`: tests have one of their own.
  Place(const std::string& path, FileId opened, std::function<Time()> clock = std::chrono::steady_clock::now);

  // Returns the path that no longer leads to the file that was opened, or null if there is none. Costs one call of
  // stat() if no name in the folder has changed for some time (0.1 to 3 s), and four calls otherwise.
  const std::string* find_moved();

 private:
  // A folder gets another `changed` when a name in it is added, removed or given to another file.
  struct Folder {
    FileId id;
    std::pair<std::time_t, long> changed;  // seconds and nanoseconds by the file system's clock
    bool operator==(const Folder&) const = default;
  };
  struct Part {
    std::string path;
    std::optional<FileId> file{};  // null: not seen yet
  };
  static std::optional<Folder> folder_at(const std::string& path) noexcept;
  const std::string* find_moved_part();

  std::function<Time()> clock_;
  std::array<Part, 3> parts_;
  std::string folder_path_;
  std::optional<Folder> folder_;  // as it was last seen
  Time seen_;                     // when it was first seen so
  bool is_checked_ = false;       // whether the parts need no look until it changes
};

}  // namespace robotrules::store
