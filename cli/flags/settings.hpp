// Options from the environment and from a file, for commands that have --config: the same table of flags, by the same
// names.
#pragma once

#include <string>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// "max-size" is ROBOTRULES_MAX_SIZE.
std::string variable_of(const Flag& flag);

// Fills in what the command line has left out: first from ROBOTRULES_* variables, where those of options that may be
// given again are parted by commas; then from the TOML file of --config, whose keys are the options' long names.
// Answers a sentence where something is no option or has no fitting value; else nothing. Switches are true or false.
// Thread rule: before there are threads.
std::string fill_in(const Command& command, Options& options);

}  // namespace robotrules::cli
