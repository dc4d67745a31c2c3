// Keeps threads of this process from seeing a part of a change of many records.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace robotrules::store::postgres {

// A change of many records takes effect when the server commits, and Store::changes() grows a moment later. A thread
// that reads one record before and another one in between must not believe that both belong together. So a read that
// met a commit is made again after it. Any thread.
class CommitGate {
 public:
  // From before the commit until Store::changes() has grown.
  class Commit {
   public:
    explicit Commit(CommitGate& gate) : gate_(gate) {
      const std::lock_guard lock(gate_.mutex_);
      ++gate_.under_way_;
      ++gate_.begun_;
    }
    ~Commit() {
      const std::lock_guard lock(gate_.mutex_);
      if (--gate_.under_way_ == 0) gate_.ended_.notify_all();
    }
    Commit(const Commit&) = delete;
    Commit& operator=(const Commit&) = delete;

   private:
    CommitGate& gate_;
  };

  // Calls `read` until no commit was under way meanwhile.
  template <class Read>
  auto read(Read read) -> decltype(read()) {
    for (int attempt = 1;; ++attempt) {
      std::uint64_t begun = 0;
      {
        std::unique_lock lock(mutex_);
        ended_.wait(lock, [this] { return under_way_ == 0; });
        begun = begun_;
      }
      auto answer = read();
      const std::lock_guard lock(mutex_);
      if (begun == begun_ || attempt == max_attempts) return answer;
    }
  }

 private:
  static constexpr int max_attempts = 100;  // if others commit all the time

  std::mutex mutex_;
  std::condition_variable ended_;
  int under_way_ = 0;
  std::uint64_t begun_ = 0;
};

}  // namespace robotrules::store::postgres
