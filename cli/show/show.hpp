// The two forms that `show` prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robots_txt.hpp>

#include "core/compare/effective.hpp"

namespace robotrules::cli {

// Directives that stand before the first group; sitemaps are left out.
std::vector<Directive> outside_groups(const RobotsTxt& file);

// One JSON document with a line end; see docs/cli.md for its members.
std::string show_json(const std::string& path, const RobotsTxt& file, std::size_t bytes,
                      const std::optional<Effective>& effective);

// `show --dialects`: "/" and example paths of every rule, the presets side by side. Prints. False where the file
// is so big that not all of them were asked about.
bool show_dialects(const std::string& path, std::string_view robots, const std::string& agent, bool json);

}  // namespace robotrules::cli
