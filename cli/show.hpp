// The two forms that `show` prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <robotrules/robots_txt.hpp>

#include "cli/effective.hpp"

namespace robotrules::cli {

// Directives that stand before the first group; sitemaps are left out.
std::vector<Directive> outside_groups(const RobotsTxt& file);

// One JSON document with a line end; see docs/cli.md for its members.
std::string show_json(const std::string& path, const RobotsTxt& file, std::size_t bytes,
                      const std::optional<Effective>& effective);

}  // namespace robotrules::cli
