// A copy of a damaged database file that SQLite can read.
#pragma once

#include <optional>
#include <string>

namespace robotrules::store {

// If the header of a file names a schema format that SQLite does not know, SQLite reads nothing of the file. All stores
// have the same format, so a copy with this format in its header can be read.
class MendedCopy {
 public:
  // Returns null if SQLite knows the format in the header, or if the copy could not be made.
  static std::optional<MendedCopy> of(const std::string& path);
  MendedCopy(MendedCopy&& other) noexcept;
  MendedCopy& operator=(MendedCopy&&) = delete;
  ~MendedCopy();  // deletes the copy

  const std::string& path() const noexcept { return path_; }

 private:
  explicit MendedCopy(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace robotrules::store
