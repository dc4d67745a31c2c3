// The TOML file of --config.
#pragma once

#include <string>
#include <vector>

#include <robotrules/base.hpp>

#include "cli/flags/flag_settings.hpp"
#include "cli/flags/flags.hpp"

namespace robotrules::cli {

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
