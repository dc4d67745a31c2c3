// Bytes that end right before, or begin right behind, a page that cannot be read: one byte too far ends the program.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>

namespace robotrules::test {

class GuardedPages {
 public:
  // Room for `capacity` bytes between two closed pages.
  explicit GuardedPages(std::size_t capacity) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    inner_ = (capacity / page + 1) * page;
    size_ = inner_ + 2 * page;
    void* mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<char*>(mapped);
    first_ = base_ + page;
    if (mprotect(base_, page, PROT_NONE) != 0 || mprotect(first_ + inner_, page, PROT_NONE) != 0) {
      munmap(base_, size_);
      throw std::bad_alloc();
    }
  }
  ~GuardedPages() { munmap(base_, size_); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  std::size_t capacity() const { return inner_; }

  // A copy of `bytes` (at most capacity()) whose last byte is the last that can be read.
  std::string_view at_end(std::string_view bytes) { return copy(first_ + inner_ - bytes.size(), bytes); }

  // A copy whose first byte is the first that can be read.
  std::string_view at_start(std::string_view bytes) { return copy(first_, bytes); }

 private:
  static std::string_view copy(char* to, std::string_view bytes) {
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    return {to, bytes.size()};
  }

  char* base_ = nullptr;
  char* first_ = nullptr;
  std::size_t inner_ = 0;
  std::size_t size_ = 0;
};

}  // namespace robotrules::test
