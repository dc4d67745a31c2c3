// The two forms that `diff` prints.
#pragma once

#include <string>

#include <robotrules/compare.hpp>

#include "cli/io/terminal.hpp"

namespace robotrules::cli {

// Prints the difference for people: for each robot only the first changes.
inline constexpr std::size_t max_shown = 100;
void print_diff(Output& out, const Difference& difference, const ChangedSettings& settings);

// Returns one JSON document with a line end. docs/cli.md explains its members.
std::string diff_json(const Difference& difference, const ChangedSettings& settings, const std::string& before,
                      const std::string& after, const Dialect& dialect);

}  // namespace robotrules::cli
