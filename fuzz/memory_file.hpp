// A file without a place on a disk, for readers that want a path or a descriptor.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "input.hpp"

namespace robotrules::fuzz {

class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("input", MFD_CLOEXEC)) { require(descriptor_ >= 0, "a file in memory"); }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // Replaces what is in it; reading begins at the front.
  void set(std::string_view octets) const {
    const bool empty = ftruncate(descriptor_, 0) == 0;
    const ssize_t written = pwrite(descriptor_, octets.data(), octets.size(), 0);
    require(empty && written == static_cast<ssize_t>(octets.size()) && lseek(descriptor_, 0, SEEK_SET) == 0,
            "a file in memory takes what it is given");
  }
  int descriptor() const noexcept { return descriptor_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace robotrules::fuzz
