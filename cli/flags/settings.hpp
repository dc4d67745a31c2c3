// Options from the environment and from a file, for commands with --config. Names and values are those of the table of
// flags.
#pragma once

#include <string>
#include <vector>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Returns true if a variable or a file may set the flag: all but --help, --help-all and --version.
bool is_setting(const Flag& flag);

// Returns true if the flag may be repeated.
bool is_list(const Flag& flag);

// Returns true if variables and a file may set the flags of the command: it has --config.
bool takes_settings(const Command& command);

// Returns ROBOTRULES_MAX_SIZE for the flag "max-size".
std::string variable_of(const Flag& flag);

bool is_given(const Flag& flag, const Options& options);

// Sets the member of a flag. A switch is "true" or "1", or another text for false. Precondition: one value, or the flag
// may be repeated.
void set_flag(const Flag& flag, const std::vector<std::string>& values, Options& options);

// Fills in options that the command line leaves out: first from ROBOTRULES_* variables, in which commas (or line
// breaks, see Flag::is_secret) separate the values of repeatable options and switches are true or false; then from the
// TOML file of --config (config_file.hpp). Returns a sentence if a value does not fit or something in the file is
// wrong, else an empty string. Thread rule: call it before starting threads.
std::string fill_in(const Command& command, Options& options);

// Returns a sentence for each variable whose name is nearly that of an option. Other variables may belong to other
// programs: Kubernetes, for example, sets ROBOTRULES_PORT if a service is called robotrules. Thread rule: as fill_in().
std::vector<std::string> find_misspelt_variables(const Command& command);

}  // namespace robotrules::cli
