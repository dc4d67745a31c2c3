// A loop whose time moves only when a test says so.
//
//   const auto clock = std::make_shared<ManualClock>();
//   const auto loop = std::make_shared<ManualLoop>(clock);
//   const auto store = make_memory_store({.clock = [clock] { return clock->now(); }});
//   auto ua = RobotUA::make("my-robot/0.1", "me@example.org", rules, options, loop, transport);
//   ua.value().start(request, done);
//   loop->advance(std::chrono::minutes(10));  // what ten minutes bring happens now
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <robotrules/seams/transport.hpp>

namespace robotrules::test {

// Begins on Wednesday, 2025-01-01 at 12:00:00 UTC. Any thread.
class ManualClock {
 public:
  // The time of day.
  Timestamp now() const;
  // Since the beginning; no jump changes it.
  std::chrono::microseconds since_start() const { return std::chrono::microseconds(passed_.load()); }

  void advance(std::chrono::microseconds time) { passed_ += time.count(); }
  // Somebody sets the time of day, forwards or backwards.
  void jump(std::chrono::microseconds by) { jumped_ += by.count(); }

 private:
  std::atomic<std::int64_t> passed_{0};
  std::atomic<std::int64_t> jumped_{0};
};

// The thread that made it is the loop's: there, tasks and timers run inside of run(), advance() and until(). Tasks run
// in the order they were posted, timers in the order of their times.
class ManualLoop final : public Loop {
 public:
  explicit ManualLoop(std::shared_ptr<ManualClock> clock) : clock_(std::move(clock)) {}

  void post(Task task) override;
  bool on_loop_thread() const noexcept override { return std::this_thread::get_id() == thread_; }
  TimerId after(std::chrono::microseconds delay, Task task) override;
  void cancel(TimerId timer) override;
  std::chrono::microseconds now() const override { return clock_->since_start(); }
  Timestamp wall() const override { return clock_->now(); }

  // All that is due; no time passes.
  void run();
  // `time` passes, from timer to timer.
  void advance(std::chrono::microseconds time);
  // Time passes until `over` answers true; false where it does not within `most`, or nothing is left to happen.
  bool until(const std::function<bool()>& over, std::chrono::microseconds most = std::chrono::hours(24 * 400));
  // All that is due, and then time passes to the next timer, if there is one.
  void advance_to_next();
  // The same while other threads make calls that wait: where nothing is left to happen, it waits for what they post.
  void serve(const std::function<bool()>& over);

  std::size_t timers() const noexcept { return timers_.size(); }
  // When the next of them is due; null: there is none.
  std::optional<std::chrono::microseconds> next_timer() const;
  // True where run() would do something.
  bool has_due();

 private:
  bool run_one();
  bool move_to_next_timer(std::chrono::microseconds end);

  const std::thread::id thread_ = std::this_thread::get_id();
  std::shared_ptr<ManualClock> clock_;
  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<Task> tasks_;
  std::map<std::pair<std::chrono::microseconds, TimerId>, Task> timers_;  // the loop's thread alone, as the rest
  std::map<TimerId, std::chrono::microseconds> times_;
  TimerId last_ = 0;
};

}  // namespace robotrules::test
