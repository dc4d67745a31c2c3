#include <chrono>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <robotrules/seams/store_session.hpp>

#include "store/session/read_robots.hpp"

namespace robotrules {
namespace {

// One call: the work is done on the session's thread, and the answer is told on the loop's.
class Job {
 public:
  virtual ~Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual void work() noexcept = 0;
  virtual void tell() = 0;

 protected:
  Job() = default;
};

template <class Work, class Answer>
class JobOf final : public Job {
 public:
  JobOf(Work work, StoreSession::Done<Answer> done) : work_(std::move(work)), done_(std::move(done)) {}

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

using Jobs = std::list<std::unique_ptr<Job>>;  // a list, so that moving a job needs no memory

// The jobs of a session, which its thread and the tasks of the loop share.
class JobDesk : public std::enable_shared_from_this<JobDesk> {
 public:
  explicit JobDesk(StoreSession::Post post) : post_(std::move(post)) {}

  // The loop's thread.
  void add(std::unique_ptr<Job> job) {
    Jobs one;
    one.push_back(std::move(job));
    const std::lock_guard lock(mutex_);
    to_do_.splice(to_do_.end(), one);
    changed_.notify_all();
  }

  // The loop's thread. Tells all answers that are there.
  void tell() {
    while (true) {
      Jobs next;
      {
        const std::lock_guard lock(mutex_);
        is_posted_ = false;
        if (closed_ || answered_.empty()) return;
        next.splice(next.end(), answered_, answered_.begin());
      }
      try {
        next.front()->tell();
      } catch (...) {
        post_rest();
        throw;
      }
    }
  }

  // The loop's thread.
  void finish() {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return to_do_.empty() && !is_working_; });
        if (closed_ || answered_.empty()) return;
      }
      tell();
    }
  }

  // The loop's thread. The session's thread ends when all jobs are done; no answer is told any more.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  // The session's thread.
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return closed_ || !to_do_.empty() || must_post(); });
      if (closed_ && to_do_.empty()) return;
      if (!to_do_.empty()) {
        Jobs next;
        next.splice(next.end(), to_do_, to_do_.begin());
        is_working_ = true;
        lock.unlock();
        next.front()->work();
        lock.lock();
        is_working_ = false;
        answered_.splice(answered_.end(), next);
        changed_.notify_all();
      }
      while (!closed_ && must_post()) {
        is_posted_ = true;
        lock.unlock();
        const bool posted = post_tell();
        lock.lock();
        if (posted) break;
        is_posted_ = false;
        changed_.wait_for(lock, std::chrono::milliseconds(10));  // until there is memory
      }
    }
  }

 private:
  bool must_post() const noexcept { return !is_posted_ && !answered_.empty(); }
  bool post_tell() noexcept {
    try {
      post_([known = weak_from_this()] {
        if (const auto self = known.lock()) self->tell();
      });
      return true;
    } catch (...) {
      return false;
    }
  }
  // After an answer whose function threw, the others are still told.
  void post_rest() noexcept {
    const std::lock_guard lock(mutex_);
    if (!must_post()) return;
    is_posted_ = post_tell();
    changed_.notify_all();  // if it is not posted, the session's thread posts it
  }

  const StoreSession::Post post_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Jobs to_do_;
  Jobs answered_;
  bool is_working_ = false;
  bool is_posted_ = false;  // a task of the loop is on its way that tells the answers
  bool closed_ = false;
};

class ThreadSession final : public StoreSession {
 public:
  ThreadSession(Store& store, Post post) : store_(store), desk_(std::make_shared<JobDesk>(std::move(post))) {}
  ~ThreadSession() override {
    desk_->close();
    if (thread_.joinable()) thread_.join();
  }

  Timestamp now() const override { return store_.now(); }
  Timestamp approximate_now() const override { return store_.approximate_now(); }

  void call_gate(std::shared_ptr<const GateCalls> calls, Done<Result<GateAnswers>> done) override {
    add<Result<GateAnswers>>([this, calls = std::move(calls)] { return Result(store_.call_gate(*calls)); },
                             std::move(done));
  }
  void read(const Origin& origin, std::optional<std::uint64_t> known, Done<Result<ReadRobots>> done) override {
    add<Result<ReadRobots>>([this, origin, known] { return store::read_robots(store_, origin, known); },
                            std::move(done));
  }
  void put(const Origin& origin, RobotsRecord record, std::optional<RobotsLease> lease,
           Done<Result<void>> done) override {
    add<Result<void>>(
        [this, origin, record = std::move(record), lease = std::move(lease)]() mutable {
          return store_.put_robots(origin, std::move(record), lease ? &*lease : nullptr);
        },
        std::move(done));
  }
  void lease(const Origin& origin, std::chrono::microseconds length, Done<Result<LeaseAnswer>> done) override {
    add<Result<LeaseAnswer>>([this, origin, length] { return store_.lease_robots_fetch(origin, length); },
                             std::move(done));
  }
  void release(RobotsLease lease) override {
    add<Result<void>>([this, lease = std::move(lease)] { return store_.release(lease); }, {});
  }
  void finish() override {
    const auto desk = desk_;  // an answer may destroy this session
    desk->finish();
  }

 private:
  template <class Answer, class Work>
  void add(Work work, Done<Answer> done) {
    if (!thread_.joinable()) thread_ = std::thread([desk = desk_] { desk->work(); });
    desk_->add(std::make_unique<JobOf<Work, Answer>>(std::move(work), std::move(done)));
  }

  Store& store_;
  std::shared_ptr<JobDesk> desk_;
  std::thread thread_;  // runs from the first call on
};

}  // namespace

std::unique_ptr<StoreSession> make_thread_session(Store& store, StoreSession::Post post) {
  return std::make_unique<ThreadSession>(store, std::move(post));
}

}  // namespace robotrules
