// --help, made from the table of flags.
#pragma once

#include <string>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Returns usage, description, flags, examples and exit statuses, at most 80 columns wide unless a word is longer.
std::string help_text(const Command& command);

}  // namespace robotrules::cli
