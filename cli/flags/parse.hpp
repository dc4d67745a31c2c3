// From the words of the command line to Options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Options, or in `error` a sentence that says what is wrong and what was probably meant.
struct Parsed {
  Options options;
  std::string error;
};

// `words` come after the command's name. "--" ends the flags; "-" is an operand.
Parsed parse(const Command& command, std::span<const std::string> words);

}  // namespace robotrules::cli
