#include "robot/gate_desk.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace robotrules::agent {
namespace {

// Gate calls in one transaction. Other processes wait until it ends.
constexpr std::size_t max_at_once = 256;

// The time until the calls are made again after a call that failed as a whole.
constexpr std::chrono::milliseconds pause_after_failure{100};

// Intervals for asking again while a request of another process holds a key. Processes do not notify each other.
constexpr std::chrono::microseconds first_poll = std::chrono::milliseconds(5);
constexpr std::chrono::microseconds last_poll = std::chrono::milliseconds(500);

}  // namespace

GateDesk::Number GateDesk::ask(Session session, ReserveRequest request, GatePatience patience, Answer answer) {
  const Number number = ++last_;
  asked_.push_back({.number = number,
                    .session = std::move(session),
                    .request = std::make_shared<const ReserveRequest>(std::move(request)),
                    .patience = std::move(patience),
                    .answer = std::move(answer)});
  try {
    known_.emplace(number, std::prev(asked_.end()));
    schedule();
  } catch (...) {  // the caller has no number to forget it by
    known_.erase(number);
    asked_.pop_back();
    throw;
  }
  return number;
}

void GateDesk::forget(Number number) noexcept {
  const auto found = known_.find(number);
  if (found == known_.end()) return;
  const auto question = found->second;
  known_.erase(found);
  if (question->timer != 0) {
    engine_.loop().cancel(question->timer);
    waiting_.erase(question);
  } else if (question->is_under_way) {
    question->answer = nullptr;
  } else {
    asked_.erase(question);
  }
}

void GateDesk::end(Session session, Token token, std::optional<Outcome> outcome, std::function<void()> recorded) {
  if (outcome) outcome->cause = network_.ended(token.keys.front(), *outcome, token.granted_at, session->now());
  ended_.push_back({std::move(session), {std::move(token), outcome}, std::move(recorded)});
  if (!closed_) schedule();
}

void GateDesk::schedule() {
  if (scheduled_ || is_pausing_) return;
  engine_.loop().post([known = weak_from_this()] {
    if (const auto self = known.lock()) self->turn();
  });
  scheduled_ = true;
}

bool GateDesk::is_busy(const Session& session) const noexcept {
  return std::any_of(under_way_.begin(), under_way_.end(),
                     [&session](const auto& batch) { return batch->session == session; });
}

// Returns the session of the oldest end or question that can be asked now; null: none. If the rules were replaced,
// there may be more than one session.
GateDesk::Session GateDesk::next_session() const noexcept {
  for (const Ended& ended : ended_) {
    if (!is_busy(ended.session)) return ended.session;
  }
  for (const Question& question : asked_) {
    if (!is_busy(question.session)) return question.session;
  }
  return nullptr;
}

// If something throws before the calls are made, all questions and ends stay, and the next turn handles them.
void GateDesk::turn() {
  scheduled_ = false;
  if (closed_) return;
  const auto self = shared_from_this();
  const Session session = next_session();
  if (session == nullptr) return;
  const auto batch = next_batch(session);
  if (batch == nullptr) return wait_for_room();
  make_calls(batch);
  if (next_session() != nullptr) schedule();
}

// Returns null if there is no room for a request, and nothing has ended.
std::shared_ptr<GateDesk::Batch> GateDesk::next_batch(const Session& session) {
  auto batch = std::make_shared<Batch>();
  batch->session = session;
  GateCalls& calls = *batch->calls;
  std::size_t room = std::min(engine_.room(), max_at_once);
  calls.requests.reserve(std::min(room, asked_.size()));
  take_ends(*batch);  // the last step that may throw, and then nothing has moved
  for (auto next = asked_.begin(); next != asked_.end() && room > 0;) {
    const auto question = next++;
    if (question->session != session) continue;
    calls.requests.push_back(question->request);
    question->is_under_way = true;
    batch->asked.splice(batch->asked.end(), asked_, question);
    --room;
  }
  return calls.ends.empty() && calls.requests.empty() ? nullptr : batch;
}

// Moves the ends of the batch's session into the batch.
void GateDesk::take_ends(Batch& batch) {
  auto& ends = batch.calls->ends;
  ends.reserve(std::min(ended_.size(), max_at_once));
  for (auto next = ended_.begin(); next != ended_.end() && ends.size() < max_at_once;) {
    const auto ended = next++;
    if (ended->session != batch.session) continue;
    ends.push_back(std::move(ended->end));
    batch.ended.splice(batch.ended.end(), ended_, ended);
  }
}

void GateDesk::make_calls(const std::shared_ptr<Batch>& batch) {
  try {
    under_way_.push_back(batch);
    batch->session->call_gate(batch->calls, [known = weak_from_this(), batch](Result<GateAnswers> answers) {
      if (const auto self = known.lock()) self->answered(*batch, std::move(answers));
    });
  } catch (...) {
    if (!batch->is_answered) {
      no_longer_under_way(*batch);
      put_back_ends(*batch);
      put_back_questions(*batch);
      if (!closed_) schedule();
    }
    throw;
  }
}

void GateDesk::no_longer_under_way(const Batch& batch) noexcept {
  under_way_.remove_if([&batch](const auto& other) { return other.get() == &batch; });
}

void GateDesk::put_back_ends(Batch& batch) noexcept {
  auto end = batch.calls->ends.begin();
  for (Ended& ended : batch.ended) ended.end = std::move(*end++);
  ended_.splice(ended_.begin(), batch.ended);
}

void GateDesk::put_back_questions(Batch& batch) noexcept {
  for (Question& question : batch.asked) question.is_under_way = false;
  asked_.splice(asked_.begin(), batch.asked);
}

void GateDesk::answered(Batch& batch, Result<GateAnswers> answers) {
  batch.is_answered = true;
  no_longer_under_way(batch);
  if (answers) return tell(batch, std::move(answers));
  // The requests get the error. The ends are reported again a little later.
  put_back_ends(batch);
  if (closed_) return;
  try {
    pause();
  } catch (...) {  // no memory for a timer: the calls are made again at once
  }
  tell(batch, std::move(answers));
}

void GateDesk::pause() {
  if (is_pausing_) return;
  engine_.loop().after(pause_after_failure, [known = weak_from_this()] {
    const auto self = known.lock();
    if (self == nullptr) return;
    self->is_pausing_ = false;
    self->schedule();
  });
  is_pausing_ = true;
}

// Tells all, also if a callback throws; the last exception goes on.
void GateDesk::tell(Batch& batch, Result<GateAnswers> answers) {
  std::exception_ptr failure;
  const auto guarded = [&failure](const auto& step) {
    try {
      step();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  answering_ = &batch;
  changes_ = answers ? answers.value().changes : std::nullopt;
  std::size_t told = 0;
  for (auto next = batch.asked.begin(); next != batch.asked.end(); ++told) {
    const auto question = next++;
    Result<ReserveAnswer> answer = Error{"out-of-memory", {}};
    guarded([&] {
      if (!answers) {
        answer = answers.error();
      } else if (told < answers.value().requests.size()) {
        answer = std::move(answers.value().requests[told]);
      } else {
        answer = Error{"store-io", "the store has answered fewer questions than it was asked"};
      }
    });
    guarded([&] { tell(batch, question, std::move(answer)); });
  }
  answering_ = nullptr;
  changes_.reset();
  for (const Ended& ended : batch.ended) {
    if (ended.recorded && !closed_) guarded(ended.recorded);
  }
  guarded([this] {
    if (closed_) return end_all();
    if (asked_.empty() && ended_.empty()) return;
    if (!ended_.empty() || engine_.room() > 0) return schedule();
    wait_for_room();
  });
  if (failure) std::rethrow_exception(failure);
}

void GateDesk::tell(Batch& batch, Questions::iterator question, Result<ReserveAnswer> answer) {
  if (!known_.contains(question->number)) {  // forgotten
    if (auto* granted = answer ? std::get_if<Granted>(&answer.value()) : nullptr) {
      end(batch.session, std::move(granted->token), std::nullopt, {});
    }
    return;
  }
  if (const Wait* wait = answer ? std::get_if<Wait>(&answer.value()) : nullptr; wait != nullptr) {
    if (may_wait(*question, *wait)) {
      try {
        wait_until_asked(*question, *wait);
        return waiting_.splice(waiting_.end(), batch.asked, question);
      } catch (...) {  // it cannot wait, so it gets an answer
        answer = Error{"out-of-memory", {}};
      }
    }
  }
  known_.erase(question->number);
  const Answer told = std::move(question->answer);
  told(std::move(answer));
}

bool GateDesk::may_wait(const Question& question, const Wait& wait) {
  const GatePatience& patience = question.patience;
  if (!patience.waits || (wait.why == WaitWhy::away && !patience.waits_while_away)) return false;
  // These waits end at a time that is not known.
  const bool is_open = wait.why == WaitWhy::in_flight || wait.why == WaitWhy::unreachable;
  return is_open || wait.until - question.session->now() <= patience.max_wait;
}

void GateDesk::wait_until_asked(Question& question, const Wait& wait) {
  if (question.patience.on_wait) question.patience.on_wait(wait);
  auto delay = std::max(wait.until - question.session->now(), std::chrono::microseconds(1));
  if (wait.why == WaitWhy::in_flight) {
    question.poll = std::clamp(question.poll * 2, first_poll, last_poll);
    delay = std::min(delay, question.poll);
  }
  question.timer = engine_.loop().after(delay, [known = weak_from_this(), number = question.number] {
    if (const auto self = known.lock()) self->ask_again(number);
  });
  question.is_under_way = false;
}

void GateDesk::ask_again(Number number) {
  const auto question = known_.at(number);
  question->timer = 0;
  asked_.splice(asked_.end(), waiting_, question);
  schedule();
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

// Gives all ends to their sessions.
void GateDesk::end_all() {
  while (!ended_.empty()) {
    const auto batch = std::make_shared<Batch>();
    batch->session = ended_.front().session;
    take_ends(*batch);
    make_calls(batch);
  }
}

void GateDesk::close() noexcept {
  closed_ = true;
  for (const Question& question : waiting_) engine_.loop().cancel(question.timer);
  known_.clear();  // an answer that is still to come is not told
  asked_.clear();
  waiting_.clear();
  try {
    for (int attempt = 0; attempt < 2; ++attempt) {  // the second one for ends that failed
      end_all();
      while (!under_way_.empty()) {  // tell() gives back each token that is granted now
        const Session session = under_way_.front()->session;
        session->finish();
        under_way_.remove_if([&session](const auto& batch) { return batch->session == session; });
      }
    }
  } catch (...) {  // holds that were not ended expire
    ended_.clear();
  }
}

}  // namespace robotrules::agent
