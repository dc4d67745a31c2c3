#include "agent/engine.hpp"

#include <algorithm>
#include <utility>

#include "agent/call.hpp"

namespace robotrules::agent {

Engine::Engine(UserAgentOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport)
    : settings_(std::make_shared<const Settings>(std::move(options))),
      loop_(std::move(loop)),
      transport_(std::move(transport)) {}

std::shared_ptr<const Settings> Engine::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

void Engine::configure(UserAgentOptions options) {
  const std::lock_guard lock(mutex_);
  if (admission_ != nullptr) options.agent = settings_->options.agent;
  settings_ = std::make_shared<const Settings>(std::move(options));
}

void Engine::rename(std::string agent) {
  const std::lock_guard lock(mutex_);
  UserAgentOptions options = settings_->options;
  options.agent = std::move(agent);
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
  exchange->spec().done = [this, done = std::move(done)](Response response) {
    const auto last = shared_from_this();  // whoever is told may let go of the agent
    --in_flight_;
    done(std::move(response));
    ran();
  };
  if (in_flight_ >= most_in_flight()) {
    waiting_.push_back(exchange);
    return;
  }
  ++in_flight_;
  exchange->start();
}

// None at all would be none for ever.
std::size_t Engine::most_in_flight() const { return std::max<std::size_t>(settings()->options.max_in_flight, 1); }

std::size_t Engine::room() const {
  const std::size_t most = most_in_flight();
  return closed_ || in_flight_ >= most || !waiting_.empty() ? 0 : most - in_flight_;
}

void Engine::when_room(std::function<void()> task) { waiting_for_room_.push_back(std::move(task)); }

void Engine::ran() noexcept {
  if (closed_) return;
  const std::size_t most = most_in_flight();
  while (!waiting_.empty() && in_flight_ < most) {
    const auto next = std::move(waiting_.front());
    waiting_.pop_front();
    ++in_flight_;
    next->start();
  }
  if (in_flight_ >= most) return;
  for (const auto& task : std::exchange(waiting_for_room_, {})) {
    try {
      task();
    } catch (...) {  // no memory: as the loop does where a task of its own throws
      give_up();
    }
  }
}

void Engine::cancel(const std::shared_ptr<Exchange>& exchange) noexcept {
  const auto found = std::find(waiting_.begin(), waiting_.end(), exchange);
  if (found != waiting_.end()) {
    waiting_.erase(found);
    return;
  }
  if (!exchange->under_way()) return;
  exchange->cancel();
  --in_flight_;
  ran();
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
