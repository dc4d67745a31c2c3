// A folder that goes with its object; in memory if the machine has such a place.
#pragma once

#include <filesystem>
#include <string>

#include "support/folder.hpp"

namespace robotrules::fuzz {

class ScratchFolder {
 public:
  ScratchFolder() : path_(test::new_folder()) {}
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  void empty() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) std::filesystem::remove_all(entry.path());
  }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace robotrules::fuzz
