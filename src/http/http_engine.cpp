#include "http/http_engine.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ascii.hpp"
#include "http/call.hpp"

namespace robotrules::agent {

Settings::Settings(UserAgentOptions given)
    : options(std::move(given)), connection(std::make_shared<const ConnectionOptions>(options.connection)) {
  if (!options.agent.empty() && base::is_blank(options.agent.back())) options.agent += UserAgentOptions().agent;
}

Engine::Engine(UserAgentOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport)
    : settings_(std::make_shared<const Settings>(std::move(options))),
      loop_(std::move(loop)),
      transport_(std::move(transport)) {
  memory_->set_limit(settings_->options.max_memory);
}

std::shared_ptr<const Settings> Engine::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

void Engine::change_options(const std::function<void(UserAgentOptions&)>& change) {
  const std::lock_guard lock(mutex_);
  UserAgentOptions options = settings_->options;
  change(options);
  memory_->set_limit(options.max_memory);
  settings_ = std::make_shared<const Settings>(std::move(options));
}

std::shared_ptr<const Engine::Handlers> Engine::handlers() const {
  const std::lock_guard lock(mutex_);
  return handlers_;
}

void Engine::change_handlers(const std::function<void(Handlers&)>& change) {
  const std::lock_guard lock(mutex_);
  auto next = std::make_shared<Handlers>(*handlers_);
  change(*next);
  handlers_ = std::move(next);
}

std::shared_ptr<const Engine::OnProgress> Engine::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

void Engine::on_progress(OnProgress progress) {
  auto next = progress ? std::make_shared<const OnProgress>(std::move(progress)) : nullptr;
  const std::lock_guard lock(mutex_);
  progress_ = std::move(next);
}

void Engine::run(const std::shared_ptr<Exchange>& exchange) {
  auto done = std::move(exchange->spec().done);
  exchange->spec().done = [this, known = exchange.get(), done = std::move(done)](Response response) {
    const auto last = shared_from_this();  // done() may destroy the agent
    remove(started_, *known);
    done(std::move(response));
    start_more();
  };
  exchange->spec().may_take = [this, known = exchange.get()] { return may_take(*known); };
  waiting_.push_back(exchange);
  exchange->place = std::prev(waiting_.end());
  start_waiting();
}

void Engine::remove(Exchange::List& list, const Exchange& exchange) noexcept {
  const bool was_oldest = &list == &started_ && exchange.place == started_.begin();
  list.erase(exchange.place);
  in_flight_ = started_.size();
  if (!was_oldest || !is_stalled_) return;
  try {
    resume_later();  // only to let the next oldest exchange continue
  } catch (...) {    // the next exchange that ends tries again
  }
}

// At least one, because with none nothing would ever start.
std::size_t Engine::max_in_flight() const { return std::max<std::size_t>(settings()->options.max_in_flight, 1); }

// If memory is at its limit, exchanges run one at a time; and none starts while the program holds responses that it can
// release.
bool Engine::may_start() const {
  if (started_.size() >= max_in_flight()) return false;
  return memory_->has_room() || (started_.empty() && !memory_->is_with_program());
}

std::size_t Engine::room() const {
  if (closed_ || !waiting_.empty() || !may_start()) return 0;
  return memory_->has_room() ? max_in_flight() - started_.size() : 1;
}

void Engine::when_room(std::function<void()> task) { waiting_for_room_.push_back(std::move(task)); }

void Engine::start_waiting() noexcept {
  while (!waiting_.empty() && may_start()) {
    const auto next = waiting_.front();
    started_.splice(started_.end(), waiting_, waiting_.begin());
    in_flight_ = started_.size();
    next->start();
  }
}

void Engine::start_more() noexcept {
  if (closed_) return;
  start_waiting();
  if (room() == 0) return;
  for (const auto& task : std::exchange(waiting_for_room_, {})) {
    try {
      task();
    } catch (...) {  // out of memory: handle it as the loop does when a task throws
      give_up();
    }
  }
}

// If memory is at its limit, only the oldest exchange continues, so that one of them always ends. If the program holds
// responses, even that one waits until it releases some.
bool Engine::may_take(const Exchange& exchange) {
  if (memory_->has_room()) return true;
  const bool is_oldest = started_.front().get() == &exchange;
  if (is_oldest && !memory_->is_with_program()) return true;
  is_stalled_ = true;
  return false;
}

void Engine::resume_later() {
  loop_->post([known = weak_from_this()] {
    const auto alive = known.lock();
    if (alive == nullptr || alive->closed_) return;
    alive->resume_stalled();
    alive->start_more();
  });
}

// Resumes the oldest first, while there is memory.
void Engine::resume_stalled() {
  if (!std::exchange(is_stalled_, false)) return;
  for (auto next = started_.begin(); next != started_.end();) {
    const auto exchange = *next;
    if (exchange->is_stalled() && may_take(*exchange)) {
      exchange->resume();
      if (!exchange->under_way()) {  // it ended, perhaps with others
        next = started_.begin();
        continue;
      }
    }
    is_stalled_ = is_stalled_ || exchange->is_stalled();
    next = std::next(exchange->place);
  }
}

void Engine::cancel(const std::shared_ptr<Exchange>& exchange) noexcept {
  if (exchange->under_way()) {
    exchange->cancel();
    remove(started_, *exchange);
    start_more();
  } else if (std::find(waiting_.begin(), waiting_.end(), exchange) != waiting_.end()) {
    remove(waiting_, *exchange);
  }
}

void Engine::begin(const std::shared_ptr<Call>& call) {
  calls_.insert(call);
  requests_ = calls_.size();
}
void Engine::end(const std::shared_ptr<Call>& call) {
  calls_.erase(call);
  requests_ = calls_.size();
}

void Engine::close() {
  closed_ = true;
  while (!calls_.empty()) {
    const auto call = calls_.extract(calls_.begin());
    call.value()->cancel();
  }
  if (admission_ != nullptr) admission_->close();
  waiting_.clear();
  waiting_for_room_.clear();
  transport_.reset();
}

void Engine::give_up() noexcept {
  auto calls = std::exchange(calls_, {});
  while (!calls.empty()) {
    const auto call = calls.extract(calls.begin());
    call.value()->give_up();
  }
  if (admission_ != nullptr) admission_->give_up();
}

}  // namespace robotrules::agent
