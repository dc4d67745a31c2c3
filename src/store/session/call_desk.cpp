#include "store/session/call_desk.hpp"

#include <algorithm>

namespace robotrules::store {

using Clock = std::chrono::steady_clock;

namespace {

// The time until calls are made again that could not reach their server.
constexpr std::chrono::milliseconds repeat_pause{250};

}  // namespace

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
      changed_.wait(lock, [this] { return !has_calls() && !is_working_; });
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

bool CallDesk::is_time_to_repeat() const {
  return left_ > 0 || (!set_aside_.empty() && (closed_ || Clock::now() >= repeat_at_));
}

// Returns true if an earlier call of its order has failed.
bool CallDesk::must_wait(const StoreCall& call, bool is_repeated) const {
  if (!call.order) return false;
  const auto is_before = [&call](const std::unique_ptr<StoreCall>& other) { return other->order == call.order; };
  return std::ranges::any_of(failed_, is_before) || (!is_repeated && std::ranges::any_of(set_aside_, is_before));
}

// Moves the call that is to be made now. Returns false if there is none.
bool CallDesk::take_next(Calls& next, bool& is_repeated) {
  if (left_ == 0 && is_time_to_repeat()) left_ = set_aside_.size();
  while (!to_do_.empty() || left_ > 0) {
    is_repeated = left_ > 0 && (to_do_.empty() || repeats_next_);
    repeats_next_ = !is_repeated;
    Calls& from = is_repeated ? set_aside_ : to_do_;
    next.splice(next.end(), from, from.begin());
    if (is_repeated) --left_;
    if (!must_wait(*next.front(), is_repeated)) return true;
    set_aside(next, is_repeated);
  }
  return false;
}

void CallDesk::set_aside(Calls& call, bool is_repeated) {
  if (!is_repeated && set_aside_.empty() && failed_.empty()) repeat_at_ = Clock::now() + repeat_pause;
  Calls& to = is_repeated ? failed_ : set_aside_;
  to.splice(to.end(), call);
  if (is_repeated) end_pass();
}

// Ends the pass if all of its calls were made.
void CallDesk::end_pass() {
  if (left_ > 0) return;
  set_aside_.splice(set_aside_.begin(), failed_);
  repeat_at_ = Clock::now() + repeat_pause;
}

void CallDesk::give_up_repeating() {
  gave_up_ = true;
  left_ = 0;
  end_pass();
  for (const auto& call : set_aside_) call->give_up();
  answered_.splice(answered_.end(), set_aside_);
}

void CallDesk::make_next_call(std::unique_lock<std::mutex>& lock) {
  Calls next;
  bool is_repeated = false;
  if (!take_next(next, is_repeated)) return;
  StoreCall& call = *next.front();
  bool is_done = call.order && gave_up_;
  if (is_done) {
    call.give_up();
  } else {
    is_working_ = true;
    lock.unlock();
    is_done = call.work();
    lock.lock();
    is_working_ = false;
  }
  if (is_done) {
    answered_.splice(answered_.end(), next);
    if (is_repeated) end_pass();
  } else {
    set_aside(next, is_repeated);
  }
  must_idle_ = idle_ != nullptr;
}

void CallDesk::work() {
  std::unique_lock lock(mutex_);
  // Not an optional: GCC 12 warns that its value may be used without being set.
  bool has_idle_time = false;
  Clock::time_point idle_at{};
  const auto is_needed = [this] {
    return closed_ || !to_do_.empty() || is_time_to_repeat() || must_post() || must_idle_;
  };
  while (true) {
    if (has_idle_time || !set_aside_.empty()) {
      auto until = has_idle_time ? idle_at : repeat_at_;
      if (!set_aside_.empty()) until = std::min(until, repeat_at_);
      changed_.wait_until(lock, until, is_needed);
      if (has_idle_time && Clock::now() >= idle_at) must_idle_ = true;
    } else {
      changed_.wait(lock, is_needed);
    }
    if (!set_aside_.empty() && must_end()) give_up_repeating();
    if (closed_ && !has_calls()) return;
    if (!to_do_.empty() || is_time_to_repeat()) {
      make_next_call(lock);
    } else if (must_idle_ && idle_) {
      must_idle_ = false;
      lock.unlock();
      const auto again = idle_();
      lock.lock();
      has_idle_time = again.has_value();
      if (again) idle_at = Clock::now() + *again;
    }
    changed_.notify_all();  // for finish()
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
