// The state of a UserAgent.
#pragma once

#include <atomic>
#include <memory>

#include <robotrules/user_agent.hpp>

#include "base/visibility.hpp"
#include "http/call.hpp"
#include "http/http_engine.hpp"

namespace robotrules {

struct ROBOTRULES_HIDDEN UserAgent::State {
  // Without a loop and a transport, the agent makes its own.
  State(UserAgentOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Pending start(Request request, agent::CallKind kind, Done done);
  Response wait(Request request, agent::CallKind kind);

  std::shared_ptr<agent::Engine> engine;
  std::atomic<std::uint64_t> last_handler{0};
  bool own_loop = false;
};

}  // namespace robotrules
