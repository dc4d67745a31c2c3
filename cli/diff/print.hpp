// The two forms that `diff` prints.
#pragma once

#include <string>

#include "cli/io/terminal.hpp"
#include "core/compare/compare.hpp"

namespace robotrules::cli {

// For people. Of a robot's changes the first `most_shown` are shown.
inline constexpr std::size_t most_shown = 100;
void print_diff(Output& out, const Difference& difference);

// One JSON document with a line end; see docs/cli.md for its members.
std::string diff_json(const Difference& difference, const std::string& before, const std::string& after,
                      const Dialect& dialect);

}  // namespace robotrules::cli
