// A file system for SQLite that fails when it is told to, and knows what a power cut would leave.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace robotrules::test {

// Stands in SQLite's way to the real file system while it lives: one at a time, of one thread.
class FaultVfs {
 public:
  FaultVfs();
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  // The `number`th call from now (1: the next) answers with an I/O error; `sticky`: and all behind it. 0: none.
  void fail_at(std::uint64_t number, bool sticky);
  std::uint64_t calls() const { return calls_; }
  bool has_failed() const { return failed_; }

  // Before the `number`th write from now `snapshot` is called.
  void snapshot_at(std::uint64_t number, std::function<void()> snapshot);

  // What is on the disk if the power goes now: of each file what was synced, and of the writes since then a random
  // part, in sectors of 512 bytes. Files are written to `folder` under their own names.
  void lose_power(const std::string& folder, std::mt19937& random) const;

  // For the functions that SQLite calls.
  bool fails();
  void wrote(const std::string& path, std::int64_t offset, std::string bytes);
  void truncated(const std::string& path, std::int64_t size);
  void synced(const std::string& path);
  void deleted(const std::string& path);
  void opened(const std::string& path);

 private:
  struct Change {
    bool truncates = false;
    std::int64_t offset = 0;
    std::string bytes;
  };
  struct File {
    std::string durable;
    std::vector<Change> pending;
  };
  static void apply(std::string& content, const Change& change);

  std::map<std::string, File> files_;
  std::uint64_t calls_ = 0;
  std::uint64_t fail_at_ = 0;
  bool sticky_ = false;
  bool failed_ = false;
  std::uint64_t snapshot_in_ = 0;
  std::function<void()> snapshot_;
};

}  // namespace robotrules::test
