// The handles of the agent.
#pragma once

#include <robotrules.h>

#include <memory>
#include <mutex>

#include <robotrules/message.hpp>
#include <robotrules/robot_ua.hpp>

struct robotrules_agent_options {
  robotrules::RobotUAOptions options;
};

struct robotrules_agent {
  robotrules::RobotUA agent;
};

struct robotrules_response {
  std::shared_ptr<const robotrules::Response> response;
};

namespace robotrules::c_abi {

// A request that may be cancelled, also before its start has returned.
struct StartedRequest {
  std::mutex mutex;
  Pending pending;         // empty until the start has returned
  bool cancelled = false;  // as soon as `pending` is there, it is to be cancelled
};

}  // namespace robotrules::c_abi

struct robotrules_request {
  std::shared_ptr<robotrules::c_abi::StartedRequest> started;
};
