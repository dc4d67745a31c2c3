// --help and --help-all, made from the table of flags.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/flags/flags.hpp"
#include "cli/io/colours.hpp"

namespace robotrules::cli {

inline constexpr std::size_t help_width = 80;  // columns, unless a terminal says otherwise

// Returns the help that fits on a screen: usage, what the command does, its actions, the flags that most people need,
// and some examples. Lines have at most `width` columns unless a word is longer.
std::string short_help(const Command& command, std::size_t width = help_width, const Paint& paint = Paint());

// Returns everything that the table says: all flags, examples and exit statuses.
std::string full_help_text(const Command& command, std::size_t width = help_width, const Paint& paint = Paint());

// Returns a line of a shell in lines of at most `width` columns, which end with a backslash if another one follows. All
// lines after the first begin with `indent` spaces. A quoted word and a flag with its value stay whole.
std::string wrapped_command(std::string_view line, std::size_t width, std::size_t indent);

}  // namespace robotrules::cli
