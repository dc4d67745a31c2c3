// What the calls of one agent share.
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

// The options as a call sees them from its beginning to its end.
struct Settings {
  explicit Settings(UserAgentOptions given)
      : options(std::move(given)), connection(std::make_shared<const ConnectionOptions>(options.connection)) {}
  UserAgentOptions options;
  std::shared_ptr<const ConnectionOptions> connection;
};

// A challenge that was answered, so that it need not be made again.
struct AnsweredChallenge {
  Challenge challenge;
  std::optional<UserPassword> given;  // by get_basic_credentials
};

// Thread rule: settings, handlers and progress from any thread; the rest on the loop's.
class Engine : public std::enable_shared_from_this<Engine> {
 public:
  Engine(UserAgentOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport);

  std::shared_ptr<const Settings> settings() const;
  // The name stays where there is an admission, which goes by it.
  void configure(UserAgentOptions options);
  void rename(std::string agent);
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

  // There is memory again for exchanges that are stalled or wait. Any thread.
  void memory_came_back();

  // Starts it now, or when there is room for one more. The exchange must not have been started.
  void run(const std::shared_ptr<Exchange>& exchange);
  void cancel(const std::shared_ptr<Exchange>& exchange) noexcept;
  // How many exchanges would start at once. `task` is called once when one would.
  std::size_t room() const;
  void when_room(std::function<void()> task);

  // By origin.
  std::unordered_map<std::string, AnsweredChallenge>& challenges() noexcept { return challenges_; }

  // Calls under way; all end when the agent does.
  Activity activity() const noexcept { return {requests_, in_flight_}; }  // any thread
  void begin(const std::shared_ptr<Call>& call);
  void end(const std::shared_ptr<Call>& call);
  void close();
  // All calls under way end with an internal response: memory failed where it can't be told whose it was.
  void give_up() noexcept;
  bool closed() const noexcept { return closed_; }

 private:
  void ran() noexcept;
  void resume_stalled();
  bool may_take(const Exchange& exchange);
  bool may_start() const;
  void start_waiting() noexcept;
  void remove(Exchange::List& list, const Exchange& exchange) noexcept;
  std::size_t most_in_flight() const;

  mutable std::mutex mutex_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const Handlers> handlers_ = std::make_shared<const Handlers>();
  std::shared_ptr<const OnProgress> progress_;

  std::shared_ptr<Loop> loop_;
  std::shared_ptr<Transport> transport_;  // goes before the loop
  std::shared_ptr<Admission> admission_;
  const std::shared_ptr<MemoryBudget> memory_ = std::make_shared<MemoryBudget>();
  std::atomic<std::size_t> in_flight_{0};  // changed on the loop's thread: how many started_ there are
  std::atomic<std::size_t> requests_{0};   // likewise: how many calls_ there are
  Exchange::List waiting_;
  Exchange::List started_;   // the oldest first
  bool is_stalled_ = false;  // one of started_ waits for memory
  std::vector<std::function<void()>> waiting_for_room_;
  std::unordered_map<std::string, AnsweredChallenge> challenges_;
  std::unordered_set<std::shared_ptr<Call>> calls_;
  bool closed_ = false;
};

}  // namespace robotrules::agent
