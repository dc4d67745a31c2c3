// Empty folders for tests and benchmarks. They are removed when the program ends.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace robotrules::test {

// Creates a folder that only this user can read; in memory if the machine has such a place and TMPDIR is not set.
std::string new_folder();
// Creates such a folder in the system's folder for temporary files: for benchmarks, which also measure the disk, and
// for tests that need much space or extended attributes.
std::string new_folder_on_disk();

// A folder on the disk that is removed with its object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_.string(); }
  // Writes a file and returns its path. Throws if the file cannot be written.
  std::string file(const std::string& name, std::string_view contents) const;

 private:
  std::filesystem::path path_;
};

}  // namespace robotrules::test
