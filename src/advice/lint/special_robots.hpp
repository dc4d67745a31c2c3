// Robots that obey groups of other robots, or that ignore the groups for "*".
#pragma once

#include <span>
#include <string_view>

#include <robotrules/diagnose.hpp>

namespace robotrules::advice {

struct SpecialRobot {
  std::string_view name;
  std::string_view falls_back;  // the robot whose groups it obeys if it has none; empty: there is no such robot
  bool ignores_star = false;
};

// Returns the most important of these robots. The checks know them even if the caller gives no list. The span is always
// valid.
std::span<const SpecialRobot> special_robots() noexcept;

// Returns the groups that this robot obeys.
AgentTokens tokens_of(const KnownRobot& robot);

// Returns the groups that the robot obeys which a User-agent line with this value names. It looks for the robot in
// `robots`, then among the special robots.
AgentTokens tokens_of(std::string_view value, std::span<const KnownRobot> robots);

}  // namespace robotrules::advice
