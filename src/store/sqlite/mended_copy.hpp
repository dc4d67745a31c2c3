// A copy of a damaged file that SQLite reads.
#pragma once

#include <optional>
#include <string>

namespace robotrules::store {

// When the head of the file names a format of tables that SQLite does not know, it reads nothing of it. The format of a
// store is always the same, so a copy with that one in its head can be read.
class MendedCopy {
 public:
  // Null when the head names a format that SQLite knows, or the copy could not be made.
  static std::optional<MendedCopy> of(const std::string& path);
  MendedCopy(MendedCopy&& other) noexcept;
  MendedCopy& operator=(MendedCopy&&) = delete;
  ~MendedCopy();  // removes it

  const std::string& path() const noexcept { return path_; }

 private:
  explicit MendedCopy(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace robotrules::store
