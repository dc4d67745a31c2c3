// The handles of the agent.
#pragma once

#include <robotrules.h>

#include <memory>
#include <optional>

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

struct robotrules_request {
  robotrules::Pending pending;
};
