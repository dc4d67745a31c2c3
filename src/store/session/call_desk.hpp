// The calls that a session makes on a thread of its own: a queue of calls, and their answers for the loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <robotrules/seams/store_session.hpp>

namespace robotrules::store {

// One call: the work is done on the desk's thread, and the answer is told on the loop's.
class StoreCall {
 public:
  virtual ~StoreCall() = default;
  StoreCall(const StoreCall&) = delete;
  StoreCall& operator=(const StoreCall&) = delete;
  virtual void work() noexcept = 0;
  virtual void tell() = 0;

 protected:
  StoreCall() = default;
};

template <class Work, class Answer>
class StoreCallOf final : public StoreCall {
 public:
  StoreCallOf(Work work, StoreSession::Done<Answer> done) : work_(std::move(work)), done_(std::move(done)) {}

  void work() noexcept override {
    try {
      answer_.emplace(work_());
    } catch (...) {  // answer_ stays empty
    }
  }
  void tell() override {
    if (!done_) return;
    done_(answer_ ? std::move(*answer_) : Answer(std::move(no_memory_)));
  }

 private:
  Work work_;
  StoreSession::Done<Answer> done_;
  std::optional<Answer> answer_;
  Error no_memory_{"out-of-memory", "there is not enough memory for this call of the store"};  // while there is some
};

// The thread that calls work() is the desk's; it shares the desk with the tasks of the loop.
class CallDesk : public std::enable_shared_from_this<CallDesk> {
 public:
  // What the desk's thread does when it has no call to make. Returns the time after which it is called again; null: it
  // is called after the next call or wake().
  using Idle = std::function<std::optional<std::chrono::milliseconds>()>;

  explicit CallDesk(StoreSession::Post post, Idle idle = {}) : post_(std::move(post)), idle_(std::move(idle)) {}

  // The loop's thread.
  template <class Answer, class Work>
  void add(Work work, StoreSession::Done<Answer> done) {
    add(std::make_unique<StoreCallOf<Work, Answer>>(std::move(work), std::move(done)));
  }
  // The loop's thread. Waits until all calls are made, and tells all answers. With `patience`, pause() returns false
  // from then on.
  void finish(std::optional<std::chrono::milliseconds> patience = {});
  // The loop's thread. The desk's thread ends when all calls are made; no answer is told any more.
  void close();
  // Any thread. The desk's thread calls Idle.
  void wake();

  // The desk's thread. Returns after close().
  void work();
  // The desk's thread, in a call: waits a moment before the next attempt. Returns false if there may not be another one,
  // now and from then on.
  bool pause(std::chrono::milliseconds length);
  // The desk's thread: whether pause() has returned false.
  bool gave_up() const noexcept { return gave_up_; }

 private:
  using Calls = std::list<std::unique_ptr<StoreCall>>;  // a list, so that moving a call needs no memory

  void add(std::unique_ptr<StoreCall> call);
  void tell();
  bool must_post() const noexcept { return !is_posted_ && !answered_.empty(); }
  bool post_tell() noexcept;
  void post_rest() noexcept;
  void post_answers(std::unique_lock<std::mutex>& lock);
  bool must_end() const noexcept;

  const StoreSession::Post post_;
  const Idle idle_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Calls to_do_;
  Calls answered_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;  // of finish()
  bool is_working_ = false;
  bool is_posted_ = false;  // a task of the loop is on its way that tells the answers
  bool closed_ = false;
  bool must_idle_ = false;
  bool gave_up_ = false;
};

}  // namespace robotrules::store
