// Options from the environment and from a file, for commands with --config. Names and values are those of the table of
// flags.
#pragma once

#include <string>
#include <vector>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Returns ROBOTRULES_MAX_SIZE for the flag "max-size".
std::string variable_of(const Flag& flag);

bool is_given(const Flag& flag, const Options& options);

// Sets the member of a flag. Returns a sentence that begins with `where` if the number of values does not fit, else an
// empty string. Switches take "true" or "false".
std::string set_flag(const Flag& flag, const std::vector<std::string>& values, const std::string& where,
                     Options& options);

// Fills in options that the command line leaves out: first from ROBOTRULES_* variables, in which commas separate the
// values of repeatable options; then from the TOML file of --config, whose keys are the options' long names. Switches
// are true or false. Returns a sentence if a key is not an option or a value does not fit, else an empty string. Thread
// rule: call it before starting threads.
std::string fill_in(const Command& command, Options& options);

}  // namespace robotrules::cli
