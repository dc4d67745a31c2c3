// A thread that repeats a task until it is stopped.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace robotrules::store {

// Thread rule: one thread starts and stops it.
class Repeater {
 public:
  Repeater() = default;
  ~Repeater() { static_cast<void>(stop()); }
  Repeater(const Repeater&) = delete;
  Repeater& operator=(const Repeater&) = delete;

  // Calls `task` after each `period`, but after `retry` if it has returned false or thrown an exception.
  void start(std::chrono::milliseconds period, std::chrono::milliseconds retry, std::function<bool()> task) {
    process_ = getpid();
    run_ = std::make_unique<Run>();
    run_->thread = std::thread([run = run_.get(), period, retry, task = std::move(task)] {
      bool is_done = true;
      std::unique_lock lock(run->mutex);
      while (!run->stopped.wait_for(lock, is_done ? period : retry, [run] { return run->must_stop; })) {
        lock.unlock();
        try {
          is_done = task();
        } catch (...) {  // there is no memory now
          is_done = false;
        }
        lock.lock();
      }
    });
  }
  // Waits for a call that is under way. Returns false if there is nothing to end: it was not started, or this is a
  // child of the process that has started it, where the thread does not exist.
  bool stop() {
    if (run_ == nullptr) return false;
    if (getpid() != process_) {
      static_cast<void>(run_.release());
      return false;
    }
    {
      const std::lock_guard lock(run_->mutex);
      run_->must_stop = true;
    }
    run_->stopped.notify_all();
    if (run_->thread.joinable()) run_->thread.join();
    run_.reset();
    return true;
  }

 private:
  struct Run {
    std::mutex mutex;
    std::condition_variable stopped;
    bool must_stop = false;
    std::thread thread;
  };
  pid_t process_ = 0;
  std::unique_ptr<Run> run_;
};

}  // namespace robotrules::store
