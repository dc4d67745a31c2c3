#include <string>
#include <string_view>

#include "cli/generate/generate.hpp"

namespace robotrules::cli {
namespace {

// `text` with a backslash before each character of `special`.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// Returns `text` in single quotes of bash and zsh.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

// Hidden commands are not offered, but their options are completed.
std::string visible_commands() {
  std::string names;
  for (const Command& command : commands()) {
    if (!command.hidden) names.append(names.empty() ? "" : " ").append(command.name);
  }
  return names;
}

std::string flag_words(const Command& command) {
  std::string words;
  for (const Flag& flag : command.flags) {
    words.append(words.empty() ? "--" : " --").append(flag.name);
    if (flag.letter != 0) words.append(" -").append(1, flag.letter);
  }
  return words;
}

// --- bash ---------------------------------------------------------------------------------------------------------

std::string bash_reply(Takes takes, std::string_view placeholder = {}) {
  switch (takes) {
    case Takes::file: return "mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); compopt -o filenames";
    case Takes::directory: return "mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); compopt -o filenames";
    case Takes::dialect:
    case Takes::dialect_or_all:
    case Takes::policy:
    case Takes::shell:
    case Takes::choice:
      return "mapfile -t COMPREPLY < <(compgen -W \"" + listed_values(takes, placeholder) + "\" -- \"$word\")";
    default: return ":";
  }
}

std::string bash_command(const Command& command) {
  std::string out = "    " + std::string(command.name) + ")\n      case $before in\n";
  for (const Flag& flag : command.flags) {
    if (flag.takes == Takes::nothing) continue;
    out += "        ";
    if (flag.letter != 0) out.append("-").append(1, flag.letter).append("|");
    out.append("--")
        .append(flag.name)
        .append(") ")
        .append(bash_reply(flag.takes, flag.placeholder))
        .append("; return ;;\n");
  }
  out += "      esac\n      if [[ $word == -* ]]; then\n";
  out += "        mapfile -t COMPREPLY < <(compgen -W \"" + flag_words(command) + "\" -- \"$word\")\n      else\n";
  out += "        " + bash_reply(command.operands.empty() ? Takes::nothing : command.operands.front().takes) + "\n";
  return out + "      fi ;;\n";
}

// --- zsh ----------------------------------------------------------------------------------------------------------

std::string zsh_action(Takes takes, std::string_view placeholder = {}) {
  switch (takes) {
    case Takes::file: return "_files";
    case Takes::directory: return "_files -/";
    case Takes::url: return "_urls";
    case Takes::dialect:
    case Takes::dialect_or_all:
    case Takes::policy:
    case Takes::shell:
    case Takes::choice: return "(" + listed_values(takes, placeholder) + ")";
    default: return " ";
  }
}

std::string zsh_flag(const Flag& flag) {
  const std::string says = "[" + escaped(first_sentence(flag.help), "[]:\\") + "]";
  std::string value;
  if (flag.takes != Takes::nothing)
    value = ":" + escaped(flag.placeholder, ":") + ":" + zsh_action(flag.takes, flag.placeholder);
  std::string out = "        " + quoted("--" + std::string(flag.name) + says + value) + " \\\n";
  if (flag.letter != 0) out += "        " + quoted(std::string("-") + flag.letter + says + value) + " \\\n";
  return out;
}

std::string zsh_command(const Command& command) {
  std::string out = "    " + std::string(command.name) + ")\n      _arguments -s -S \\\n";
  for (const Flag& flag : command.flags) out += zsh_flag(flag);
  std::size_t place = 0;
  for (const Operand& operand : command.operands) {
    ++place;
    const std::string spec = (operand.max == any_number ? "*:" : std::to_string(place) + ":") +
                             escaped(operand.name, ":") + ":" + zsh_action(operand.takes);
    out += "        " + quoted(spec) + " \\\n";
  }
  return out + "        && return 0 ;;\n";
}

// --- fish ---------------------------------------------------------------------------------------------------------

// Returns `text` in single quotes of fish.
std::string fish_quoted(std::string_view text) { return "'" + escaped(text, "'\\") + "'"; }

std::string fish_values(Takes takes, std::string_view placeholder = {}) {
  switch (takes) {
    case Takes::nothing: return "";
    case Takes::file: return " -r -F";
    case Takes::directory: return " -x -a '(__fish_complete_directories)'";
    case Takes::dialect:
    case Takes::dialect_or_all:
    case Takes::policy:
    case Takes::shell:
    case Takes::choice: return " -x -a " + fish_quoted(listed_values(takes, placeholder));
    default: return " -x";
  }
}

std::string fish_flag(const Flag& flag, const std::string& condition) {
  std::string out = "complete -c robotrules -n " + fish_quoted(condition);
  if (flag.letter != 0) out += std::string(" -s ") + flag.letter;
  out += " -l " + std::string(flag.name) + fish_values(flag.takes, flag.placeholder);
  return out + " -d " + fish_quoted(first_sentence(flag.help)) + "\n";
}

}  // namespace

std::string bash_completions() {
  std::string out = "# bash completion for robotrules, made by: robotrules generate bash\n";
  out += "_robotrules() {\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n  COMPREPLY=()\n";
  out += "  if (( COMP_CWORD == 1 )); then\n    mapfile -t COMPREPLY < <(compgen -W \"" + visible_commands() + " " +
         flag_words(program()) + "\" -- \"$word\")\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n";
  for (const Command& command : commands()) out += bash_command(command);
  return out + "  esac\n}\ncomplete -F _robotrules robotrules\n";
}

std::string zsh_completions() {
  std::string out = "#compdef robotrules\n# zsh completion for robotrules, made by: robotrules generate zsh\n";
  out += "_robotrules() {\n  local -a commands\n  commands=(\n";
  for (const Command& command : commands()) {
    if (!command.hidden) out += "    " + quoted(std::string(command.name) + ":" + std::string(command.summary)) + "\n";
  }
  out += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    _arguments -s \\\n";
  for (const Flag& flag : program().flags) out += zsh_flag(flag);
  out += "        && return 0\n    return 1\n  fi\n";
  out += "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const Command& command : commands()) out += zsh_command(command);
  return out + "  esac\n}\n_robotrules \"$@\"\n";
}

std::string fish_completions() {
  std::string out = "# fish completion for robotrules, made by: robotrules generate fish\n";
  out += "complete -c robotrules -f\n";
  for (const Flag& flag : program().flags) out += fish_flag(flag, "__fish_use_subcommand");
  for (const Command& command : commands()) {
    const std::string name(command.name);
    if (!command.hidden) {
      out +=
          "complete -c robotrules -n __fish_use_subcommand -a " + name + " -d " + fish_quoted(command.summary) + "\n";
    }
    const std::string condition = "__fish_seen_subcommand_from " + name;
    for (const Flag& flag : command.flags) out += fish_flag(flag, condition);
    for (const Operand& operand : command.operands) {
      const std::string values = operand.takes == Takes::url ? "" : fish_values(operand.takes);
      if (!values.empty()) out += "complete -c robotrules -n " + fish_quoted(condition) + values + "\n";
    }
  }
  return out;
}

}  // namespace robotrules::cli
