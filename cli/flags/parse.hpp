// Parsing of the command line into Options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Options; or an error: a sentence that says what is wrong and, if possible, what was meant.
struct Parsed {
  Options options;
  std::string error;
};

// Parses the words after the command's name. "--" ends the flags; "-" is an operand.
Parsed parse(const Command& command, std::span<const std::string> words);

}  // namespace robotrules::cli
