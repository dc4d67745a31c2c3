// The TOML file of --config.
#pragma once

#include <string>
#include <vector>

#include <robotrules/result.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// An option that the file sets, with values as the command line has them: at least one.
struct FileSetting {
  const Flag* flag = nullptr;
  std::vector<std::string> values;
};

// Reads the options of `command` from the TOML file `path`: its table [NAME], whose keys are the long names of the
// options. Tables of other commands are not read. Fails with "invalid-config" if the file cannot be read, is not TOML,
// contains anything else, or if a value has the wrong type or does not fit. The message begins with "FILE:LINE:COLUMN:"
// and says what to do.
Result<std::vector<FileSetting>> read_config_file(const Command& command, const std::string& path);

}  // namespace robotrules::cli
