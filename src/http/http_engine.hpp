// The parts that all calls of one agent share: options, handlers, connections, memory and limits.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <robotrules/seams/transport.hpp>
#include <robotrules/user_agent.hpp>

#include "http/admission.hpp"
#include "http/authentication.hpp"
#include "http/exchange.hpp"
#include "http/memory_budget.hpp"

namespace robotrules::agent {

class Call;

// The options as one call sees them from start to end.
struct Settings {
  explicit Settings(UserAgentOptions given);
  UserAgentOptions options;
  std::shared_ptr<const ConnectionOptions> connection;
};

// A challenge that was answered. Later requests answer it before the server asks again.
struct AnsweredChallenge {
  Challenge challenge;
  std::optional<UserPassword> given;  // by get_basic_credentials
};

// Thread rule: settings, handlers and progress may be used from any thread, all else on the loop's thread.
class Engine : public std::enable_shared_from_this<Engine> {
 public:
  Engine(UserAgentOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport);

  std::shared_ptr<const Settings> settings() const;
  // Changes the options while no other thread does. `change` may not call the engine.
  void change_options(const std::function<void(UserAgentOptions&)>& change);
  using Handlers = std::vector<AddedHandler>;
  std::shared_ptr<const Handlers> handlers() const;
  void change_handlers(const std::function<void(Handlers&)>& change);
  using OnProgress = std::function<void(const Request&, const Progress&)>;
  std::shared_ptr<const OnProgress> progress() const;
  void on_progress(OnProgress progress);

  Loop& loop() const noexcept { return *loop_; }
  Transport* transport() const noexcept { return transport_.get(); }
  const std::shared_ptr<Loop>& shared_loop() const noexcept { return loop_; }
  const std::shared_ptr<Admission>& admission() const noexcept { return admission_; }
  const std::shared_ptr<MemoryBudget>& memory() const noexcept { return memory_; }
  void use(std::shared_ptr<Admission> admission) { admission_ = std::move(admission); }

  // Continues the exchanges that wait for memory, because there may be enough again. Any thread.
  void resume_later();

  // Starts an exchange, now or when there is room for it. The exchange must not have been started before.
  void run(const std::shared_ptr<Exchange>& exchange);
  void cancel(const std::shared_ptr<Exchange>& exchange) noexcept;
  // room() returns how many exchanges could start now. when_room() calls `task` once, when there is room for one.
  std::size_t room() const;
  void when_room(std::function<void()> task);

  // The answered challenges, by origin.
  std::unordered_map<std::string, AnsweredChallenge>& challenges() noexcept { return challenges_; }

  // The calls under way. All of them end when the agent ends.
  Activity activity() const noexcept { return {requests_, in_flight_}; }  // any thread
  void begin(const std::shared_ptr<Call>& call);
  void end(const std::shared_ptr<Call>& call);
  void close();
  // Ends all calls under way with ResponseSource::internal. Called if memory ran out and the call is unknown.
  void give_up() noexcept;
  bool closed() const noexcept { return closed_; }

 private:
  void start_more() noexcept;
  void resume_stalled();
  bool may_take(const Exchange& exchange);
  bool may_start() const;
  void start_waiting() noexcept;
  void remove(Exchange::List& list, const Exchange& exchange) noexcept;
  std::size_t max_in_flight() const;

  mutable std::mutex mutex_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const Handlers> handlers_ = std::make_shared<const Handlers>();
  std::shared_ptr<const OnProgress> progress_;

  std::shared_ptr<Loop> loop_;
  std::shared_ptr<Transport> transport_;  // destroyed before the loop
  std::shared_ptr<Admission> admission_;
  const std::shared_ptr<MemoryBudget> memory_ = std::make_shared<MemoryBudget>();
  std::atomic<std::size_t> in_flight_{0};  // size of started_; changed on the loop's thread
  std::atomic<std::size_t> requests_{0};   // size of calls_; changed on the loop's thread
  Exchange::List waiting_;
  Exchange::List started_;   // oldest first
  bool is_stalled_ = false;  // an exchange in started_ waits for memory
  std::vector<std::function<void()>> waiting_for_room_;
  std::unordered_map<std::string, AnsweredChallenge> challenges_;
  std::unordered_set<std::shared_ptr<Call>> calls_;
  bool closed_ = false;
};

}  // namespace robotrules::agent
