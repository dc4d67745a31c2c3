#include "store/session/call_desk.hpp"

namespace robotrules::store {

using Clock = std::chrono::steady_clock;

void CallDesk::add(std::unique_ptr<StoreCall> call) {
  Calls one;
  one.push_back(std::move(call));
  const std::lock_guard lock(mutex_);
  to_do_.splice(to_do_.end(), one);
  changed_.notify_all();
}

void CallDesk::tell() {
  while (true) {
    Calls next;
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

void CallDesk::finish(std::optional<std::chrono::milliseconds> patience) {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (patience && !deadline_) {
        deadline_ = Clock::now() + *patience;
        changed_.notify_all();
      }
      changed_.wait(lock, [this] { return to_do_.empty() && !is_working_; });
      if (closed_ || answered_.empty()) return;
    }
    tell();
  }
}

void CallDesk::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void CallDesk::wake() {
  const std::lock_guard lock(mutex_);
  must_idle_ = true;
  changed_.notify_all();
}

void CallDesk::work() {
  std::unique_lock lock(mutex_);
  // Not an optional: GCC 12 warns that its value may be used without being set.
  bool has_idle_time = false;
  Clock::time_point idle_at{};
  const auto is_needed = [this] { return closed_ || !to_do_.empty() || must_post() || must_idle_; };
  while (true) {
    if (has_idle_time) {
      if (!changed_.wait_until(lock, idle_at, is_needed)) must_idle_ = true;
    } else {
      changed_.wait(lock, is_needed);
    }
    if (closed_ && to_do_.empty()) return;
    if (!to_do_.empty()) {
      Calls next;
      next.splice(next.end(), to_do_, to_do_.begin());
      is_working_ = true;
      lock.unlock();
      next.front()->work();
      lock.lock();
      is_working_ = false;
      answered_.splice(answered_.end(), next);
      must_idle_ = idle_ != nullptr;
      changed_.notify_all();
    } else if (must_idle_ && idle_) {
      must_idle_ = false;
      lock.unlock();
      const auto again = idle_();
      lock.lock();
      has_idle_time = again.has_value();
      if (again) idle_at = Clock::now() + *again;
    }
    post_answers(lock);
  }
}

void CallDesk::post_answers(std::unique_lock<std::mutex>& lock) {
  while (!closed_ && must_post()) {
    is_posted_ = true;
    lock.unlock();
    const bool posted = post_tell();
    lock.lock();
    if (posted) return;
    is_posted_ = false;
    changed_.wait_for(lock, std::chrono::milliseconds(10));  // until there is memory
  }
}

bool CallDesk::must_end() const noexcept { return closed_ || (deadline_ && Clock::now() >= *deadline_); }

bool CallDesk::pause(std::chrono::milliseconds length) {
  std::unique_lock lock(mutex_);
  auto until = Clock::now() + length;
  while (!must_end() && Clock::now() < until) {
    if (deadline_) until = std::min(until, *deadline_);
    changed_.wait_until(lock, until);
  }
  gave_up_ = gave_up_ || must_end();
  return !gave_up_;
}

bool CallDesk::post_tell() noexcept {
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
void CallDesk::post_rest() noexcept {
  const std::lock_guard lock(mutex_);
  if (!must_post()) return;
  is_posted_ = post_tell();
  changed_.notify_all();  // if it is not posted, the desk's thread posts it
}

}  // namespace robotrules::store
