// The loop of an agent: Boost.Asio's, on a thread of its own.
#pragma once

#include <utility>  // before Asio 1.74, which forgets it

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>

#include <robotrules/seams/transport.hpp>

namespace robotrules::agent {

class AsioLoop final : public Loop {
 public:
  AsioLoop();
  ~AsioLoop() override;

  void post(Task task) override;
  bool on_loop_thread() const noexcept override { return std::this_thread::get_id() == thread_.get_id(); }
  TimerId after(std::chrono::microseconds delay, Task task) override;
  void cancel(TimerId timer) override { timers_.erase(timer); }
  std::chrono::microseconds now() const override;
  Timestamp wall() const override;

  // Sets the function that is called on the loop's thread when a task throws; the loop continues. Set it before the
  // first task.
  void on_exception(std::function<void()> what) { *on_exception_ = std::move(what); }

  boost::asio::io_context& context() noexcept { return *context_; }
  const std::shared_ptr<boost::asio::io_context>& shared_context() const noexcept { return context_; }

 private:
  // Shared with the thread. With the hint 1, Asio would run what the loop's own thread posts after what other threads
  // post later: a request could be cancelled before it begins, and then be sent.
  std::shared_ptr<boost::asio::io_context> context_ = std::make_shared<boost::asio::io_context>(2);
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::unordered_map<TimerId, std::unique_ptr<boost::asio::steady_timer>> timers_;
  TimerId last_ = 0;
  std::shared_ptr<int> alive_ = std::make_shared<int>();
  // Shared with the thread, which may outlive this object.
  std::shared_ptr<std::function<void()>> on_exception_ = std::make_shared<std::function<void()>>();
  std::thread thread_;
};

}  // namespace robotrules::agent
