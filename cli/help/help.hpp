// robotrules help, and --help of every command.
#pragma once

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Prints the short or the full help of a command on standard output, as wide as the terminal. Returns the exit status.
int print_help(const Command& command, bool all);

}  // namespace robotrules::cli
