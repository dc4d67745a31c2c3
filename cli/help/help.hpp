// robotrules help, --help of every command, and --version.
#pragma once

#include <string>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Prints the short or the full help of a command on standard output, as wide as the terminal. Returns the exit status.
int print_help(const Command& command, bool all);

// Returns the version, the versions of the libraries that are loaded or were compiled in, and the features of this
// build on this machine.
std::string version_text();

}  // namespace robotrules::cli
