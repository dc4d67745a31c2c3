#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/escape.hpp"
#include "cli/flags/flag_settings.hpp"
#include "cli/flags/given.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

std::string spelled(const Flag& flag) {
  std::string names = "--" + std::string(flag.name);
  if (flag.letter != 0) names = std::string("-") + flag.letter + "," + names;
  return names;
}

CLI::Option* declare(CLI::App& app, const Flag& flag) {
  if (flag.takes == Takes::nothing) {
    return app.add_flag(spelled(flag))->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  // One value each time; the next word may be an operand. CLI11 passes "true" for a value that was left out.
  return app.add_option(spelled(flag))
      ->expected(value_is_optional(flag) ? 0 : 1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::string unknown_flag(const Command& command, const std::string& word) {
  std::vector<std::string_view> names;
  for (const Flag& flag : command.flags) names.push_back(flag.name);
  const std::string typed = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const std::string name = typed.substr(0, typed.find('='));
  const bool is_agent = name == "user-agent" && std::ranges::find(names, "agent") != names.end();
  const std::string all = command.name.empty() ? " --help" : " " + std::string(command.name) + " --help-all";
  return "unknown option " + base::printable(word.substr(0, word.find('='))) + "; " +
         suggestion(is_agent ? "agent" : name, names, "robotrules" + all + " lists the options", "--");
}

// "use one of ls, show" for the operand ACTION, else how to write the command.
std::string hint_for(const Command& command, std::string_view operand) {
  if (operand != "ACTION") return "write: " + usage_line(command);
  return "use one of " + listed(action_names(command));
}

std::string check_count(const Command& command, const std::vector<std::string>& operands) {
  std::size_t least = 0;
  std::size_t most = 0;
  for (const Operand& operand : command.operands) {
    if (operands.size() < least + operand.min) {
      return "no " + std::string(operand.name) + " was given; " + hint_for(command, operand.name);
    }
    least += operand.min;
    most = operand.max == any_number ? any_number : most + operand.max;
  }
  if (operands.size() <= most) return {};
  return "unexpected operand \"" + printable_operand(operands[most]) + "\"; write: " + usage_line(command);
}

bool is_a_name(Takes takes) { return takes == Takes::file || takes == Takes::directory; }

// Returns a sentence if the name of a file or folder is empty: a variable of the shell was probably not set.
std::string check_names(const Given& given) {
  const Command& command = given.command();
  for (const Flag& flag : command.flags) {
    const auto& values = given.all(flag.name);
    if (is_a_name(flag.takes) && std::ranges::find(values, "") != values.end()) return missing_value(flag);
  }
  for (std::size_t i = 0; i < given.operands.size(); ++i) {
    const Operand& operand = command.operands[std::min(i, command.operands.size() - 1)];
    if (is_a_name(operand.takes) && given.operands[i].empty()) {
      return std::string(operand.name) + " is empty; write: " + usage_line(command);
    }
  }
  return {};
}

// Returns the flag that a word such as "--agent", "--agent=x" or "-a" names, or null.
const Flag* flag_of(const Command& command, std::string_view word) {
  for (const Flag& flag : command.flags) {
    const bool is_letter = flag.letter != 0 && word.size() == 2 && word[0] == '-' && word[1] == flag.letter;
    if (is_letter || (word.starts_with("--") && word.substr(2, word.find('=') - 2) == flag.name)) return &flag;
  }
  return nullptr;
}

// Returns true for a flag that asks for a text and not for the command.
bool is_request(const Flag& flag) { return flag.name == "help" || flag.name == "help-all" || flag.name == "version"; }

bool needs_value(const Flag& flag) { return flag.takes != Takes::nothing && !value_is_optional(flag); }

// Changes the words so that CLI11 reads "--agent=" as an empty value. Sets `error` if a flag follows a flag that needs
// a value.
std::vector<std::string> prepared(const Command& command, std::span<const std::string> words, std::string& error) {
  std::vector<std::string> out;
  const Flag* waiting = nullptr;  // the flag whose value is the next word
  for (const std::string& word : words) {
    const Flag* const flag = flag_of(command, word);
    if (waiting != nullptr) {
      if (flag != nullptr) error = missing_value(*waiting);
      waiting = nullptr;
      out.push_back(word);
      continue;
    }
    const std::size_t sign = word.find('=');
    const bool takes_value = flag != nullptr && needs_value(*flag);
    out.push_back(word);
    if (takes_value && sign == word.npos) waiting = flag;
    if (takes_value && sign + 1 == word.size()) {
      out.back().pop_back();
      out.emplace_back();
    }
  }
  if (error.empty() && waiting != nullptr) error = missing_value(*waiting);
  return out;
}

// CLI11 names the option: "--agent: 1 required TEXT missing", "Could not convert: --json = foo".
std::string in_our_words(const Command& command, const CLI::ParseError& error) {
  std::string text = base::printable(error.what());
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string_view named = std::string_view(text).substr(std::min(text.find("--"), text.size()));
  const Flag* const flag = flag_of(command, named.substr(0, named.find_first_of(": ")));
  if (flag == nullptr) return text;
  return needs_value(*flag) ? missing_value(*flag) : "--" + std::string(flag->name) + " takes no value; leave it out";
}

}  // namespace

Parsed parse(const Command& command, std::span<const std::string> words) {
  Parsed parsed{Given(command), {}};
  Given& given = parsed.given;
  // Words after "--" are handled here, and operands are the words that CLI11 leaves over, because it splits "[a,b]".
  const auto end_of_flags = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> reversed = prepared(command, {words.begin(), end_of_flags}, parsed.error);
  if (!parsed.error.empty()) return parsed;
  std::reverse(reversed.begin(), reversed.end());

  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<std::pair<const Flag*, CLI::Option*>> declared;
  for (const Flag& flag : command.flags) declared.emplace_back(&flag, declare(app, flag));
  bool asks_for_help = false;
  try {
    app.parse(reversed);
    for (const auto& [flag, option] : declared) {
      if (option->count() == 0) continue;
      const bool is_switch = flag->takes == Takes::nothing;
      given.set(*flag, is_switch ? std::vector<std::string>{option->as<bool>() ? "true" : "false"} : option->results());
      asks_for_help = asks_for_help || (given.has(flag->name) && is_request(*flag));
    }
  } catch (const CLI::ParseError& error) {
    parsed.error = in_our_words(command, error);
    return parsed;
  }
  if (asks_for_help) return parsed;
  for (std::string& word : app.remaining()) {
    if (word.size() > 1 && word.front() == '-') {
      parsed.error = unknown_flag(command, word);
      return parsed;
    }
    given.operands.push_back(std::move(word));
  }
  if (end_of_flags != words.end()) given.operands.insert(given.operands.end(), end_of_flags + 1, words.end());
  parsed.error = check_count(command, given.operands);
  if (parsed.error.empty()) parsed.error = check_names(given);
  if (parsed.error.empty()) parsed.error = fill_in(given);
  return parsed;
}

}  // namespace robotrules::cli
