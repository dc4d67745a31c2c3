// --help, made from the table of flags.
#pragma once

#include <string>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Usage, what it does, flags, examples and exit statuses, at most 80 columns wide where words allow it.
std::string help_text(const Command& command);

}  // namespace robotrules::cli
