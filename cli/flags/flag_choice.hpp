// The command, robot, dialect and policy that words name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/robots_policy.hpp>

#include "cli/flags/given.hpp"

namespace robotrules::cli {

// The robot if no name is given.
inline constexpr std::string_view default_agent = "robotrules";

// Returns "unknown command "gte"; did you mean get?"
std::string unknown_command(std::string_view name);

// Returns "unknown kind "serch"; use one of search, training; did you mean search?" `what`: "kind".
std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string_view>& names);

// The name for all presets side by side.
inline constexpr std::string_view all_dialects = "all";

// Returns "unknown dialect "gogle"; use one of rfc9309, google; did you mean google?"
std::string unknown_dialect(std::string_view name);

// Returns the preset of that name, or the default preset if no name is given. Fails with "invalid-dialect".
Result<const Dialect*> choose_dialect(const std::optional<std::string>& name);

// A robot; without flags, the one of robotrules.
struct AgentChoice {
  std::string name{default_agent};
  std::string note;                   // says so if more than a version was removed from --agent
  std::string header{default_agent};  // the value as given, for dialects with Dialect::whole_header
  std::optional<std::string> sent;    // the User-Agent header of --agent
};
// Returns the robot of --robot, else robot_name() of --agent. Fails with "invalid-agent" if the value contains no robot
// name.
Result<AgentChoice> choose_agent(const std::optional<std::string>& agent,
                                 const std::optional<std::string>& robot = std::nullopt);

// Returns the User-Agent header to send for a robot: that of the choice if it names that robot, else the robot's name.
std::string header_to_send(const AgentChoice& choice, const std::string& name);

// Returns true if `text` is an http or https URL and not a file name.
bool is_url(std::string_view text) noexcept;

struct PolicyChoice {
  RobotsPolicy policy;
  bool is_given = false;  // false: the default policy
};
// Returns the policy of --policy and --strict. Fails with "invalid-policy" if there is no such policy.
Result<PolicyChoice> choose_policy(const std::optional<std::string>& name, bool strict);
Result<PolicyChoice> choose_policy(const Given& given);

}  // namespace robotrules::cli
