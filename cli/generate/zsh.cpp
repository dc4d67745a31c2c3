#include <string>
#include <string_view>

#include "cli/generate/generate.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

// Returns `text` in single quotes.
std::string zsh_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

// Returns the action of _arguments that completes a value; " " if nothing is known of it.
std::string zsh_action(Takes takes, std::string_view placeholder = {}) {
  if (takes == Takes::file) return "_files";
  if (takes == Takes::directory) return "_files -/";
  if (takes == Takes::url) return "_urls";
  const std::string words = listed_words(takes, placeholder);
  if (words.empty()) return " ";
  return is_word_list(takes) ? "_values -s , word " + words : "(" + words + ")";
}

std::string flag_specs(const Flag& flag) {
  const std::string says = "[" + escaped(first_sentence(flag.help), "[]:\\") + "]";
  const bool is_switch = flag.takes == Takes::nothing;
  const bool is_optional = value_is_optional(flag);
  std::string value;
  if (!is_switch) {
    value = (is_optional ? "::" : ":") + escaped(is_optional ? flag.placeholder.substr(2) : flag.placeholder, ":[]") +
            ":" + zsh_action(flag.takes, flag.placeholder);
  }
  const std::string_view sign = is_switch ? "" : is_optional ? "=-" : "=";
  std::string out = "        " + zsh_quoted("--" + std::string(flag.name) + std::string(sign) + says + value) + " \\\n";
  if (flag.letter != 0) {
    out += "        " + zsh_quoted(std::string("-") + flag.letter + (is_switch ? "" : "+") + says + value) + " \\\n";
  }
  return out;
}

std::string operand_specs(const Command& command) {
  std::string out;
  std::size_t place = 0;
  for (const Operand& operand : command.operands) {
    ++place;
    std::string action = zsh_action(operand.takes, operand.name);
    if (!command.actions.empty() && place == 2) action = "(" + listed(action_names(command), " ") + ")";
    if (!command.actions.empty() && place == 3) action = "->argument";
    const std::string which = operand.max == any_number ? "*" : std::to_string(place);
    const std::string_view colons = operand.min == 0 && operand.max == 1 ? "::" : ":";
    out += "        " + zsh_quoted(which + std::string(colons) + escaped(operand.name, ":") + ":" + action) + " \\\n";
  }
  return out;
}

std::string argument_cases(const Command& command) {
  if (command.actions.empty()) return {};
  std::string out = "      [[ $state == argument ]] || return 1\n      case $line[2] in\n";
  for (const Action& action : command.actions) {
    if (action.takes == Takes::file) out.append("        ").append(action.name).append(") _files ;;\n");
    const std::string words = listed_words(action.takes, action.argument);
    if (!words.empty()) out.append("        ").append(action.name).append(") compadd ").append(words).append(" ;;\n");
  }
  return out + "      esac\n";
}

std::string zsh_command(const Command& command) {
  std::string out = "    " + std::string(command.name) + ")\n      _arguments -s -S \\\n";
  for (const Flag& flag : command.flags) out += flag_specs(flag);
  out += operand_specs(command) + "        && return 0\n";
  return out + argument_cases(command) + "      ;;\n";
}

}  // namespace

std::string zsh_completions() {
  std::string out = "#compdef robotrules\n# zsh completion for robotrules, made by: robotrules generate zsh\n";
  out += "_robotrules() {\n  local context state state_descr line\n  typeset -A opt_args\n";
  out += "  local -a commands\n  commands=(\n";
  for (const Command& command : commands()) {
    if (!command.hidden)
      out += "    " + zsh_quoted(std::string(command.name) + ":" + std::string(command.summary)) + "\n";
  }
  out += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    _arguments -s \\\n";
  for (const Flag& flag : program().flags) out += flag_specs(flag);
  out += "        && return 0\n    return 1\n  fi\n";
  out += "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const Command& command : commands()) out += zsh_command(command);
  return out + "  esac\n}\n_robotrules \"$@\"\n";
}

}  // namespace robotrules::cli
