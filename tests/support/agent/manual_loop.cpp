#include "support/agent/manual_loop.hpp"

#include <algorithm>

namespace robotrules::test {

using std::chrono::microseconds;

Timestamp ManualClock::now() const {
  using namespace std::chrono_literals;
  constexpr auto noon = std::chrono::sys_days(std::chrono::year(2025) / 1 / 1) + 12h;
  return noon + microseconds(passed_ + jumped_);
}

void ManualLoop::post(Task task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  posted_.notify_one();
}

Loop::TimerId ManualLoop::after(microseconds delay, Task task) {
  const TimerId id = ++last_;
  const microseconds time = now() + std::max(delay, microseconds(0));
  timers_.emplace(std::pair(time, id), std::move(task));
  times_.emplace(id, time);
  return id;
}

void ManualLoop::cancel(TimerId timer) {
  const auto known = times_.extract(timer);
  if (!known.empty()) timers_.erase({known.mapped(), timer});
}

bool ManualLoop::run_one() {
  Task task;
  {
    const std::lock_guard lock(mutex_);
    if (!tasks_.empty()) {
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
  }
  if (!task && !timers_.empty() && timers_.begin()->first.first <= now()) {
    auto due = timers_.extract(timers_.begin());
    times_.erase(due.key().second);
    task = std::move(due.mapped());
  }
  if (!task) return false;
  task();
  return true;
}

bool ManualLoop::move_to_next_timer(microseconds end) {
  if (timers_.empty() || timers_.begin()->first.first > end) return false;
  clock_->advance(timers_.begin()->first.first - now());
  return true;
}

void ManualLoop::run() {
  while (run_one()) {
  }
}

void ManualLoop::advance(microseconds time) {
  const microseconds end = now() + time;
  do run();
  while (move_to_next_timer(end));
  clock_->advance(end - now());
}

bool ManualLoop::until(const std::function<bool()>& over, microseconds most) {
  const microseconds end = now() + most;
  while (!over()) {
    if (!run_one() && !move_to_next_timer(end)) return false;
  }
  return true;
}

std::optional<microseconds> ManualLoop::next_timer() const {
  return timers_.empty() ? std::nullopt : std::optional(timers_.begin()->first.first);
}

bool ManualLoop::has_due() {
  const std::lock_guard lock(mutex_);
  return !tasks_.empty() || (!timers_.empty() && timers_.begin()->first.first <= now());
}

void ManualLoop::advance_to_next() {
  run();
  move_to_next_timer(microseconds::max());
}

void ManualLoop::serve(const std::function<bool()>& over) {
  while (!over()) {
    if (run_one() || move_to_next_timer(microseconds::max())) continue;
    std::unique_lock lock(mutex_);
    posted_.wait(lock, [&] { return !tasks_.empty(); });
  }
}

}  // namespace robotrules::test
