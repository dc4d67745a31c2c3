#include "robot/gate_wait.hpp"

#include <algorithm>
#include <utility>

namespace robotrules::agent {
namespace {

// Intervals for asking again while a request of another process holds a key. Processes do not notify each other.
constexpr std::chrono::microseconds first_poll = std::chrono::milliseconds(5);
constexpr std::chrono::microseconds last_poll = std::chrono::milliseconds(500);

}  // namespace

GateWait::GateWait(GateDesk& desk, std::shared_ptr<StoreSession> session, ReserveRequest request,
                   GateWaitOptions options, Done done)
    : desk_(desk),
      session_(std::move(session)),
      request_(std::make_shared<const ReserveRequest>(std::move(request))),
      options_(std::move(options)),
      done_(std::move(done)) {}

GateWait::~GateWait() {
  if (asked_ != 0) desk_.forget(asked_);
  if (timer_ != 0) desk_.loop().cancel(timer_);
}

void GateWait::ask() {
  asked_ = desk_.ask(session_, request_, [this](Result<ReserveAnswer> answer) { answered(std::move(answer)); });
}

void GateWait::answered(Result<ReserveAnswer> answer) {
  asked_ = 0;
  const Wait* wait = answer ? std::get_if<Wait>(&answer.value()) : nullptr;
  const auto left = wait == nullptr ? std::chrono::microseconds(0) : wait->until - session_->now();
  // These waits end at a time that is not known.
  const bool is_open = wait != nullptr && (wait->why == WaitWhy::in_flight || wait->why == WaitWhy::unreachable);
  const bool is_away = wait != nullptr && wait->why == WaitWhy::away && !options_.waits_while_away;
  if (wait == nullptr || !options_.wait || is_away || (!is_open && left > options_.max_wait)) {
    const Done done = std::move(done_);  // may destroy this object
    done(std::move(answer));
    return;
  }
  if (options_.on_wait) options_.on_wait(*wait);
  auto delay = std::max(left, std::chrono::microseconds(1));
  if (wait->why == WaitWhy::in_flight) {
    poll_ = std::clamp(poll_ * 2, first_poll, last_poll);
    delay = std::min(delay, poll_);
  }
  timer_ = desk_.loop().after(delay, [this] {
    timer_ = 0;
    ask();
  });
}

}  // namespace robotrules::agent
