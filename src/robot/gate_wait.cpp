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
      options_(options),
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
  if (wait == nullptr || !options_.wait || (!is_open && left > options_.max_wait)) {
    const Done done = std::move(done_);  // may destroy this object
    done(std::move(answer));
    return;
  }
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

std::string_view reason_of(WaitWhy why) noexcept {
  switch (why) {
    case WaitWhy::interval: return "the delay after the last request is not over";
    case WaitWhy::penalty: return "it has asked for a pause";
    case WaitWhy::in_flight: return "other requests to it are not answered yet";
    case WaitWhy::just_visited: return "it may have been visited just now";
    case WaitWhy::away: return "it gave no answer to the last request";
    case WaitWhy::unreachable: break;
  }
  return "the store cannot be reached";
}

}  // namespace robotrules::agent
