// The lock that one crawl has on a job of a database, in a file beside it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <robotrules/base.hpp>

namespace robotrules::store {

// The kernel ends the lock when the object or its process ends, also after a kill. The lock also works between
// containers that share the file. It is not taken on the database itself, because closing that file would end SQLite's
// own locks. Thread rule: one thread at a time.
class CrawlLock {
 public:
  CrawlLock() = default;
  CrawlLock(CrawlLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  CrawlLock& operator=(CrawlLock&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~CrawlLock();

  // Takes the lock of the job with this id. Fails with "queue-claimed" if another object has it, and with "store-path"
  // or "store-io" if the lock file cannot be opened or locked.
  static Result<CrawlLock> take(const std::string& database, std::int64_t job);
  // Returns true if some process has the lock of this job. If the lock file cannot be read, returns false.
  static bool is_taken(const std::string& database, std::int64_t job);

  bool is_held() const noexcept { return file_ >= 0; }

 private:
  explicit CrawlLock(int file) noexcept : file_(file) {}
  int file_ = -1;
};

}  // namespace robotrules::store
