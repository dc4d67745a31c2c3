// The manual page and the shells' completions, made from the table of flags.
#pragma once

#include <string>
#include <string_view>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

std::string man_page();          // robotrules(1), for man
std::string bash_completions();  // for bash_completion.d, or to be sourced
std::string zsh_completions();   // a file _robotrules in a folder of $fpath
std::string fish_completions();  // a file in ~/.config/fish/completions

// Returns the accepted values of a kind, separated by spaces; empty if there is no list. Those of a choice are in the
// placeholder of its flag.
std::string listed_values(Takes takes, std::string_view placeholder = {});

// Returns the first sentence of a help text, without its full stop, for completions.
std::string_view first_sentence(std::string_view text);

}  // namespace robotrules::cli
