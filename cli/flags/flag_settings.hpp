// Options from the environment and from a file, for every command. Names and values are those of the table of flags.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>

#include "cli/flags/flags.hpp"
#include "cli/flags/given.hpp"

namespace robotrules::cli {

// An option that a variable or a file sets, with values as the command line has them: at least one.
struct Setting {
  const Flag* flag = nullptr;
  std::vector<std::string> values;
};

// Options of which one makes the other one useless or wrong: the one that is nearer to the user counts.
using Contradiction = std::pair<std::string_view, std::string_view>;
std::span<const Contradiction> contradictions() noexcept;

// An option that means nothing without another one. It is left out if it comes from a variable or a file, which may be
// for several command lines.
struct Need {
  std::string_view command;
  std::string_view option;
  std::string_view needs;
};
std::span<const Need> needs() noexcept;

// Returns true if variables and a file may set the flags of the command: it has --config.
bool takes_settings(const Command& command);

// Returns ROBOTRULES_MAX_SIZE for the flag "max-size".
std::string variable_of(const Flag& flag);

// Returns true if another command has an option of this name, and `fits` returns true for it. A variable, or a key of
// the file that is for all commands, is left out by a command that it does not fit if it fits another one.
bool fits_other_command(const Command& command, std::string_view name, const std::function<bool(const Flag&)>& fits);

// Fills in options that the command line leaves out: first from ROBOTRULES_* variables, in which commas (or line
// breaks, see Flag::lists) separate the values of repeatable options and switches are true or false; then from
// the TOML file of --config (config_file.hpp). An option is also left out if it contradicts one that is nearer to the
// user, such as the policy of a file and --strict on the command line. Returns a sentence if a value does not fit or
// something in the file is wrong, else an empty string. Thread rule: call it before starting threads.
std::string fill_in(Given& given);

// Returns a sentence for each variable whose name is nearly that of an option, and for each that names an option that
// only the command line sets. Other variables may belong to other programs: Kubernetes, for example, sets
// ROBOTRULES_PORT if a service is called robotrules. Thread rule: as fill_in().
std::vector<std::string> find_useless_variables(const Command& command);

// The options of one command. No flag is in a list twice.
struct ConfigSettings {
  std::vector<Setting> own;     // from the command's table
  std::vector<Setting> shared;  // from the keys above all tables
};

// Reads the options of `command` from the TOML file `path`: from its table [NAME], and from the keys above all tables.
// The keys are the long names of the options. Tables of other commands are not read. Fails with "invalid-config" if the
// file cannot be read, is not TOML, contains anything else, or if a value has the wrong type or does not fit. The
// message begins with "FILE:LINE:COLUMN:" and says what to do.
Result<ConfigSettings> read_config_file(const Command& command, const std::string& path);

}  // namespace robotrules::cli
