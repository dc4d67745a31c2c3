// What is made from the table of flags beside the parser and --help.
#pragma once

#include <string>
#include <string_view>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

std::string man_page();          // robotrules(1), for man
std::string bash_completions();  // to be sourced, or put into bash_completion.d
std::string zsh_completions();   // a file _robotrules in a folder of $fpath
std::string fish_completions();  // a file in ~/.config/fish/completions

// The names that a flag or operand of this kind can have, with a space between; empty where there is no list.
std::string listed_values(Takes takes);

// The first sentence of a help text, without its full stop: what a completion shows.
std::string_view first_sentence(std::string_view text);

}  // namespace robotrules::cli
