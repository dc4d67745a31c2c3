#include "http/asio_loop.hpp"

#include <boost/asio/post.hpp>

#include <new>

namespace robotrules::agent {

namespace {

// A task throws only if memory runs out: calls catch the exceptions of handlers and callbacks (call.cpp).
void run(boost::asio::io_context& context, const std::function<void()>& on_exception) {
  while (true) {
    try {
      context.run();
      return;
    } catch (...) {
      try {
        if (on_exception) on_exception();
      } catch (...) {  // on_exception has done what it could
      }
    }
  }
}

}  // namespace

AsioLoop::AsioLoop()
    : work_(context_->get_executor()),
      thread_([context = context_, on_exception = on_exception_] { run(*context, *on_exception); }) {}

// Tasks that were posted before still run; timers do not. The last owner of the loop may be one of its own tasks, which
// runs on its thread.
AsioLoop::~AsioLoop() {
  if (on_loop_thread()) {
    alive_.reset();  // a timer that is already due runs once more and sees this
    timers_.clear();
    work_.reset();
    thread_.detach();
    return;
  }
  try {
    boost::asio::post(*context_, [this] {
      timers_.clear();
      work_.reset();
    });
  } catch (const std::bad_alloc&) {
    context_->stop();
  }
  thread_.join();
}

void AsioLoop::post(Task task) { boost::asio::post(*context_, std::move(task)); }

Loop::TimerId AsioLoop::after(std::chrono::microseconds delay, Task task) {
  const TimerId id = ++last_;
  auto timer = std::make_unique<boost::asio::steady_timer>(*context_, delay);
  timer->async_wait(
      [this, known = std::weak_ptr(alive_), id, task = std::move(task)](const boost::system::error_code& error) {
        if (error || known.expired() || timers_.erase(id) == 0) return;
        task();
      });
  timers_.emplace(id, std::move(timer));
  return id;
}

std::chrono::microseconds AsioLoop::now() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

Timestamp AsioLoop::wall() const {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

}  // namespace robotrules::agent
