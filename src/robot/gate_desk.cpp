#include "robot/gate_desk.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace robotrules::agent {
namespace {

// Gate calls in one transaction. Other processes wait until it ends.
constexpr std::size_t max_at_once = 256;

}  // namespace

GateDesk::Number GateDesk::ask(std::shared_ptr<Store> store, const ReserveRequest& request, Answer answer) {
  const Number number = ++last_;
  asked_.emplace(number, Asked{std::move(store), &request, std::move(answer)});
  schedule();
  return number;
}

void GateDesk::forget(Number number) noexcept {
  if (asked_.erase(number) != 0 || answering_ == nullptr) return;
  if (const auto found = answering_->find(number); found != answering_->end()) found->second.answer = nullptr;
}

void GateDesk::end(std::shared_ptr<Store> store, Token token, std::optional<Outcome> outcome,
                   std::function<void()> recorded) {
  ended_.push_back({std::move(store), {std::move(token), outcome}, std::move(recorded)});
  if (!closed_) schedule();
}

void GateDesk::schedule() {
  if (scheduled_) return;
  engine_.loop().post([known = weak_from_this()] {
    if (const auto self = known.lock()) self->turn();
  });
  scheduled_ = true;
}

// If something throws, all questions and ends stay, and the next turn handles them.
void GateDesk::turn() {
  scheduled_ = false;
  if (closed_ || (ended_.empty() && asked_.empty())) return;
  const auto self = shared_from_this();
  std::optional<Round> round = ask_store();
  if (!round) return wait_for_room();
  tell(*round);
}

std::optional<GateDesk::Round> GateDesk::ask_store() {
  Round round;
  round.store = ended_.empty() ? asked_.begin()->second.store : ended_.front().store;
  const auto of_store = [&round](const Ended& ended) { return ended.store == round.store; };

  // If the rules were replaced, some ends may belong to another store.
  const auto others = std::stable_partition(ended_.begin(), ended_.end(), of_store);
  const auto count = std::min(static_cast<std::size_t>(others - ended_.begin()), max_at_once);
  const auto last = ended_.begin() + static_cast<std::ptrdiff_t>(count);
  GateCalls calls;
  calls.ends.reserve(count);
  std::size_t room = std::min(engine_.room(), max_at_once);
  calls.requests.reserve(std::min(room, asked_.size()));
  auto behind = asked_.begin();
  for (; behind != asked_.end() && room > 0 && behind->second.store == round.store; ++behind, --room) {
    calls.requests.push_back(behind->second.request);
  }
  if (count == 0 && calls.requests.empty()) return std::nullopt;
  round.recorded.reserve(count);
  for (auto ended = ended_.begin(); ended != last; ++ended) calls.ends.push_back(std::move(ended->end));
  try {
    round.answers = round.store->call_gate(calls);
  } catch (...) {
    for (std::size_t i = 0; i < count; ++i) ended_[i].end = std::move(calls.ends[i]);
    schedule();
    throw;
  }
  for (auto ended = ended_.begin(); ended != last; ++ended) round.recorded.push_back(std::move(ended->recorded));
  ended_.erase(ended_.begin(), last);
  while (asked_.begin() != behind) round.answered.insert(round.answered.end(), asked_.extract(asked_.begin()));
  return round;
}

// Tells all, also if a callback throws; the last exception goes on.
void GateDesk::tell(Round& round) {
  std::exception_ptr failure;
  const auto guarded = [&failure](const auto& step) {
    try {
      step();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  answering_ = &round.answered;
  changes_ = round.answers.changes;
  asked_store_ = round.store.get();
  auto asked = round.answered.begin();
  for (auto& answer : round.answers.requests) {
    const Answer told = std::move(asked++->second.answer);
    guarded([&] {
      if (told) return told(std::move(answer));
      if (auto* granted = answer ? std::get_if<Granted>(&answer.value()) : nullptr) {
        end(round.store, std::move(granted->token), std::nullopt, {});
      }
    });
  }
  answering_ = nullptr;
  changes_.reset();
  asked_store_ = nullptr;
  for (const auto& told : round.recorded) {
    if (told) guarded(told);
  }
  guarded([this] {
    if (closed_ || (asked_.empty() && ended_.empty())) return;
    if (!ended_.empty() || engine_.room() > 0) return schedule();
    wait_for_room();
  });
  if (failure) std::rethrow_exception(failure);
}

void GateDesk::wait_for_room() {
  if (waits_for_room_) return;
  engine_.when_room([known = weak_from_this()] {
    const auto self = known.lock();
    if (self == nullptr) return;
    self->waits_for_room_ = false;
    self->schedule();
  });
  waits_for_room_ = true;
}

void GateDesk::close() noexcept {
  closed_ = true;
  asked_.clear();
  try {
    while (!ended_.empty()) {
      const std::shared_ptr<Store> store = ended_.back().store;
      GateCalls calls;
      for (; !ended_.empty() && ended_.back().store == store; ended_.pop_back()) {
        calls.ends.push_back(std::move(ended_.back().end));
      }
      static_cast<void>(store->call_gate(calls));
    }
  } catch (...) {  // holds that were not ended expire
    ended_.clear();
  }
}

}  // namespace robotrules::agent
