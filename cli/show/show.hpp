// The two forms that `show` prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/compare.hpp>
#include <robotrules/robots_txt.hpp>

#include "cli/check/asked_robot.hpp"

namespace robotrules::cli {

// Returns the directives before the first group, without sitemaps.
std::vector<Directive> outside_groups(const RobotsTxt& file);

// Returns one JSON document with a line end. docs/cli.md explains its members.
std::string show_json(const std::string& path, const RobotsTxt& file, std::size_t bytes,
                      const std::optional<EffectiveRules>& effective, const AskedRobot& robot);

// Prints `show --dialects`: the answers of all presets about "/" and example paths of every rule. Returns false if the
// file is so big that only its first rules have an example.
bool show_dialects(const std::string& path, std::string_view robots, const AskedRobot& robot, bool json);

}  // namespace robotrules::cli
