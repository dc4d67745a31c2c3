// The command, robot, dialect and policy that words name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/robots_policy.hpp>

namespace robotrules::cli {

// The robot if no name is given.
inline constexpr std::string_view default_agent = "robotrules";

// Returns "unknown command "gte"; did you mean get?"
std::string unknown_command(std::string_view name);

// Returns "unknown kind "serch"; use one of search, training; did you mean search?" `what`: "kind".
std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string_view>& names);

// Returns the preset of that name, or the default preset if no name is given. If no preset has that name, returns null
// and sets `error` to a sentence.
const Dialect* choose_dialect(const std::optional<std::string>& name, std::string& error);

// The name for all presets side by side.
inline constexpr std::string_view all_dialects = "all";

// Returns "unknown dialect "gogle"; use one of rfc9309, google; did you mean google?"
std::string unknown_dialect(std::string_view name);

// Returns the robot's name: --robot, else robot_name() of --agent. If more than a version was removed, `note` says so.
// Fails with "invalid-agent" if the value contains no robot name.
struct AgentChoice {
  std::string name;
  std::string note;
  std::string header;  // the value as given, for dialects with Dialect::whole_header
};
Result<AgentChoice> choose_agent(const std::optional<std::string>& agent,
                                 const std::optional<std::string>& robot = std::nullopt);

// Returns true if `text` is an http or https URL and not a file name.
bool is_url(std::string_view text) noexcept;

// Returns the policy of --policy and --strict, or the default policy if neither is given. If there is no such policy,
// returns null and sets `error` to a sentence.
const RobotsPolicy* choose_policy(const std::optional<std::string>& name, bool strict, std::string& error);

}  // namespace robotrules::cli
