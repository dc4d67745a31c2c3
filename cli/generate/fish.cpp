#include <string>
#include <string_view>

#include "cli/generate/generate.hpp"

namespace robotrules::cli {
namespace {

// Returns `text` in single quotes.
std::string fish_quoted(std::string_view text) { return "'" + escaped(text, "'\\") + "'"; }

// Returns the options of `complete` for a value.
std::string fish_values(Takes takes, std::string_view placeholder = {}) {
  if (takes == Takes::nothing) return "";
  if (takes == Takes::file) return " -r -F";
  if (takes == Takes::directory) return " -x -a '(__fish_complete_directories)'";
  const std::string words = listed_words(takes, placeholder);
  if (words.empty()) return " -x";
  if (is_word_list(takes))
    return " -x -a " + fish_quoted("(__fish_complete_list , 'string split \" \" \"" + words + "\"')");
  return " -x -a " + fish_quoted(words);
}

std::string flag_line(const Flag& flag, const std::string& condition) {
  std::string out = "complete -c robotrules -n " + fish_quoted(condition);
  if (flag.letter != 0) out += std::string(" -s ") + flag.letter;
  out += " -l " + std::string(flag.name);
  std::string value = fish_values(flag.takes, flag.placeholder);
  // Without -x the value may be left out, and must follow "=".
  if (value_is_optional(flag)) value.erase(0, std::string_view(" -x").size());
  return out + value + " -d " + fish_quoted(first_sentence(flag.help)) + "\n";
}

std::string line_at(const Command& command, std::size_t place, std::string_view options, std::string_view action = {}) {
  std::string condition = "__robotrules_at " + std::string(command.name) + " " + std::to_string(place);
  if (!action.empty()) condition.append(" ").append(action);
  return "complete -c robotrules -n " + fish_quoted(condition) + std::string(options) + "\n";
}

std::string operand_lines(const Command& command) {
  std::string out;
  std::size_t place = 0;
  for (const Operand& operand : command.operands) {
    const std::string options = operand.takes == Takes::url ? "" : fish_values(operand.takes, operand.name);
    if (!command.actions.empty() && place > 0) break;
    if (operand.max == any_number) {
      if (!options.empty()) {
        out += "complete -c robotrules -n " + fish_quoted("__fish_seen_subcommand_from " + std::string(command.name)) +
               options + "\n";
      }
    } else if (!options.empty()) {
      out += line_at(command, place, options);
    }
    ++place;
  }
  for (const Action& action : command.actions) {
    out += line_at(command, 1, " -a " + std::string(action.name) + " -d " + fish_quoted(action.brief));
    if (action.takes != Takes::text)
      out += line_at(command, 2, fish_values(action.takes, action.argument), action.name);
  }
  return out;
}

std::string fish_helpers() {
  std::string out = R"(# fish completion for robotrules, made by: robotrules generate fish

# Prints the operands before the cursor.
function __robotrules_operands
    set -l words (commandline -opc)
    set -l valued
    switch "$words[2]"
)";
  for (const Command& command : commands()) {
    const std::string flags = valued_flags(command);
    if (!flags.empty()) out += "        case " + std::string(command.name) + "\n            set valued " + flags + "\n";
  }
  return out + R"(    end
    set -l skipped 2
    for word in $words
        if test $skipped -gt 0
            set skipped (math $skipped - 1)
        else if contains -- $word $valued
            set skipped 1
        else if not string match -q -- '-?*' $word
            echo $word
        end
    end
end

# Is the cursor at this operand of the command, counted from 0, and after this action if it is given?
function __robotrules_at -a command place action
    set -l words (commandline -opc)
    test "$words[2]" = "$command"; or return 1
    set -l operands (__robotrules_operands)
    test (count $operands) -eq $place; or return 1
    test -z "$action"; or test "$operands[2]" = "$action"
end

)";
}

}  // namespace

std::string fish_completions() {
  std::string out = fish_helpers() + "complete -c robotrules -f\n";
  for (const Flag& flag : program().flags) out += flag_line(flag, "__fish_use_subcommand");
  for (const Command& command : commands()) {
    const std::string name(command.name);
    if (!command.hidden) {
      out +=
          "complete -c robotrules -n __fish_use_subcommand -a " + name + " -d " + fish_quoted(command.summary) + "\n";
    }
    for (const Flag& flag : command.flags) out += flag_line(flag, "__fish_seen_subcommand_from " + name);
    out += operand_lines(command);
  }
  return out;
}

}  // namespace robotrules::cli
