// The manual pages and the shells' completions, made from the table of flags.
#pragma once

#include <string>
#include <string_view>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Returns robotrules(1) for program(), else the page of the command, such as robotrules-get(1).
std::string man_page(const Command& command);
std::string bash_completions();  // for bash_completion.d, or to be sourced
std::string zsh_completions();   // a file _robotrules in a folder of $fpath
std::string fish_completions();  // a file in ~/.config/fish/completions

// Helpers for the three shells.

// Returns `text` with a backslash before each character of `special`.
std::string escaped(std::string_view text, std::string_view special);

// Returns the words that a value may be, separated by spaces; empty if there is no list.
std::string listed_words(Takes takes, std::string_view placeholder = {});

// Returns the flags of a command whose value is the next word, separated by spaces.
std::string valued_flags(const Command& command);

// Returns the commands that are not hidden, separated by spaces.
std::string visible_commands();

// Returns the first sentence of a help text, without its full stop, for completions.
std::string_view first_sentence(std::string_view text);

}  // namespace robotrules::cli
