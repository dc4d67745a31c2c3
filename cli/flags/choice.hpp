// What --agent, --robot, --dialect, --policy and --robots name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/result.hpp>
#include <robotrules/robots_policy.hpp>

namespace robotrules::cli {

// The robot that is asked for where nobody says another name.
inline constexpr std::string_view default_agent = "robotrules";

// The preset of that name, the default one where there is no name. Null and a sentence in `error` where no preset is
// called so.
const Dialect* choose_dialect(const std::optional<std::string>& name, std::string& error);

// What stands for every preset side by side, where a command can do that.
inline constexpr std::string_view all_dialects = "all";

// "unknown dialect "gogle"; use one of rfc9309, google; did you mean google?"
std::string unknown_dialect(std::string_view name);

// The robot's name: that of --robot, else robot_name() of --agent. If more than a version was cut off, `note` says so.
// Fails with a sentence if they name no robot.
struct AgentChoice {
  std::string name;
  std::string note;
};
Result<AgentChoice> choose_agent(const std::optional<std::string>& agent,
                                 const std::optional<std::string>& robot = std::nullopt);

// True where `text` is an http or https URL and no file name.
bool is_url(std::string_view text) noexcept;

// The policy by --policy and --strict, the default one where neither is given. Null and a sentence in `error` where
// there is none.
const RobotsPolicy* choose_policy(const std::optional<std::string>& name, bool strict, std::string& error);

}  // namespace robotrules::cli
