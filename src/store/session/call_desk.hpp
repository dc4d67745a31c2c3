// The calls that a session makes on a thread of its own: a queue of calls, and their answers for the loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
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
  // Returns false if the work must be done again later.
  virtual bool work() noexcept = 0;
  // The work is not done any more. The answer is that of the last time, or an error.
  virtual void give_up() noexcept = 0;
  virtual void tell() = 0;

  // Calls that may be made again have an order: those with the same one are made in the sequence in which they were
  // added. Null: the call is made once.
  const std::optional<std::size_t> order;

 protected:
  explicit StoreCall(std::optional<std::size_t> wanted) : order(wanted) {}
};

template <class Work, class Answer, class MustRepeat>
class StoreCallOf final : public StoreCall {
 public:
  StoreCallOf(Work work, StoreSession::Done<Answer> done, std::optional<std::size_t> wanted, MustRepeat must_repeat)
      : StoreCall(wanted), work_(std::move(work)), done_(std::move(done)), must_repeat_(std::move(must_repeat)) {}

  bool work() noexcept override {
    try {
      answer_.reset();
      answer_.emplace(work_());
      return !must_repeat_(*answer_);
    } catch (...) {  // answer_ stays empty
      return true;
    }
  }
  void give_up() noexcept override {
    try {
      if (!answer_) answer_.emplace(Error{"store-unreachable", "the server of the store could not be reached in time"});
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
  MustRepeat must_repeat_;
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
    const auto never = [](const Answer&) { return false; };
    add(std::make_unique<StoreCallOf<Work, Answer, decltype(never)>>(std::move(work), std::move(done), std::nullopt,
                                                                     never));
  }
  // The loop's thread. As add(); but a call for whose answer `must_repeat` is true is set aside and made again after a
  // pause, until close() or the end of the patience of finish(). Other calls go on meanwhile, but for those of the same
  // order.
  template <class Answer, class Work, class MustRepeat>
  void add_repeated(Work work, StoreSession::Done<Answer> done, std::size_t order, MustRepeat must_repeat) {
    add(std::make_unique<StoreCallOf<Work, Answer, MustRepeat>>(std::move(work), std::move(done), order,
                                                                std::move(must_repeat)));
  }
  // The loop's thread. Waits until all calls are made, and tells all answers. With `patience`, calls are not made again
  // after that time, and pause() returns false.
  void finish(std::optional<std::chrono::milliseconds> patience = {});
  // The loop's thread. The desk's thread ends when all calls are made; no answer is told any more.
  void close();
  // Any thread. The desk's thread calls Idle.
  void wake();

  // The desk's thread. Returns after close().
  void work();
  // The desk's thread, in a call: waits a moment before the next attempt. Returns false if there may not be another
  // one, now and from then on.
  bool pause(std::chrono::milliseconds length);

 private:
  using Calls = std::list<std::unique_ptr<StoreCall>>;  // a list, so that moving a call needs no memory

  void add(std::unique_ptr<StoreCall> call);
  void tell();
  bool has_calls() const noexcept { return !to_do_.empty() || !set_aside_.empty() || !failed_.empty(); }
  bool is_time_to_repeat() const;
  bool must_wait(const StoreCall& call, bool is_repeated) const;
  bool take_next(Calls& next, bool& is_repeated);
  void set_aside(Calls& call, bool is_repeated);
  void end_pass();
  void make_next_call(std::unique_lock<std::mutex>& lock);
  void give_up_repeating();
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
  // Calls that must be made again. All of them are made in one pass after the other, alternately with new calls. Those
  // that fail in this pass are in failed_ until it ends; `left_` are still to be made in it.
  Calls set_aside_;
  Calls failed_;
  std::size_t left_ = 0;
  bool repeats_next_ = false;
  std::chrono::steady_clock::time_point repeat_at_{};  // the next pass begins
  Calls answered_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;  // of finish()
  // A call is made. It is in none of the lists.
  bool is_working_ = false;
  bool is_posted_ = false;  // a task of the loop is on its way that tells the answers
  bool closed_ = false;
  bool must_idle_ = false;
  bool gave_up_ = false;
};

}  // namespace robotrules::store
