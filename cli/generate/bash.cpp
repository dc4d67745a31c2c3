#include <string>
#include <string_view>

#include "cli/generate/generate.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

// Returns the command of bash that completes a value; ":" if nothing is known of it.
std::string bash_reply(Takes takes, std::string_view placeholder = {}) {
  if (takes == Takes::file) return "_robotrules_files -f";
  if (takes == Takes::directory) return "_robotrules_files -d";
  const std::string words = listed_words(takes, placeholder);
  if (words.empty()) return ":";
  return (is_word_list(takes) ? "_robotrules_list \"" : "_robotrules_words \"") + words + "\"";
}

std::string bash_flags(const Command& command) {
  std::string words;
  for (const Flag& flag : command.flags) {
    words.append(words.empty() ? "--" : " --").append(flag.name);
    if (flag.letter != 0) words.append(" -").append(1, flag.letter);
  }
  return words;
}

std::string value_cases(const Command& command) {
  std::string out;
  for (const Flag& flag : command.flags) {
    if (flag.takes == Takes::nothing) continue;
    std::string names = "--" + std::string(flag.name);
    if (flag.letter != 0) names = std::string("-") + flag.letter + "|" + names;
    const std::string value = bash_reply(flag.takes, flag.placeholder);
    out += "        " + names + ") ";
    out += value_is_optional(flag) ? "[[ -n $equals ]] && { " + value + "; return; } ;;\n" : value + "; return ;;\n";
  }
  return out;
}

// Returns the cases of the operand at the cursor by the number of operands before it.
std::string operand_cases(const Command& command) {
  std::string out;
  std::size_t place = 0;
  for (const Operand& operand : command.operands) {
    const std::string number = operand.max == any_number ? "*" : std::to_string(place);
    const bool is_action = !command.actions.empty() && place == 1;
    const bool is_argument = !command.actions.empty() && place == 2;
    out += "          " + number + ") ";
    if (is_action) {
      out += "_robotrules_words \"" + listed(action_names(command), " ") + "\"";
    } else if (is_argument) {
      out += "case ${operands[1]} in\n";
      for (const Action& action : command.actions) {
        const std::string value = bash_reply(action.takes, action.argument);
        if (value != ":") out.append("            ").append(action.name).append(") ").append(value).append(" ;;\n");
      }
      out += "          esac";
    } else {
      out += bash_reply(operand.takes, operand.name);
    }
    out += " ;;\n";
    ++place;
  }
  return out;
}

std::string bash_command(const Command& command) {
  std::string out = "    " + std::string(command.name) + ")\n      case $before in\n" + value_cases(command);
  out += "      esac\n      if [[ -z $equals && $word == -* ]]; then\n";
  out += "        _robotrules_words \"" + bash_flags(command) + "\"\n      else\n";
  out += "        _robotrules_operands \"" + valued_flags(command) + "\"\n";
  return out + "        case ${#operands[@]} in\n" + operand_cases(command) + "        esac\n      fi ;;\n";
}

constexpr std::string_view bash_helpers = R"(# bash completion for robotrules, made by: robotrules generate bash

# The words in $1 that begin with $word.
_robotrules_words() { mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$1" -- "$word"); }

# The same for several words with commas between them.
_robotrules_list() {
  local before_comma=
  [[ $word == *,* ]] && before_comma=${word%,*},
  mapfile -t COMPREPLY < <(compgen -P "$prefix$before_comma" -W "$1" -- "${word##*,}")
  compopt -o nospace
}

# Files (-f) or folders (-d).
_robotrules_files() {
  mapfile -t COMPREPLY < <(compgen -P "$prefix" "$1" -- "$word")
  compopt -o filenames
}

# Sets `operands` to the operands before the cursor. $1: the flags whose value is the next word. Bash makes three words
# of "--flag=value" and of "a:b".
_robotrules_operands() {
  local i
  for (( i = 2; i < COMP_CWORD; ++i )); do
    case ${COMP_WORDS[i]} in
      = | :) (( ++i )) ;;
      -?*) [[ " $1 " == *" ${COMP_WORDS[i]} "* && ${COMP_WORDS[i+1]} != = ]] && (( ++i )) ;;
      *) operands+=("${COMP_WORDS[i]}") ;;
    esac
  done
}

_robotrules() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} prefix= equals=
  local -a operands=()
  COMPREPLY=()
  if [[ $word == = ]]; then
    word= equals=1
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]} equals=1
  elif [[ $word == --*=* ]]; then  # COMP_WORDBREAKS has no "="
    before=${word%%=*} prefix=${word%%=*}= word=${word#*=} equals=1
  fi
)";

}  // namespace

std::string bash_completions() {
  std::string out(bash_helpers);
  out += "  if (( COMP_CWORD == 1 )); then\n    _robotrules_words \"" + visible_commands() + " " +
         bash_flags(program()) + "\"\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n";
  for (const Command& command : commands()) out += bash_command(command);
  return out + "  esac\n}\ncomplete -F _robotrules robotrules\n";
}

}  // namespace robotrules::cli
