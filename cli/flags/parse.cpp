#include "cli/flags/parse.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "base/escape.hpp"
#include "cli/flags/flag_settings.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

std::string spelled(const Flag& flag) {
  std::string names = "--" + std::string(flag.name);
  if (flag.letter != 0) names = std::string("-") + flag.letter + "," + names;
  return names;
}

// If an option is repeated, the last one counts, as in curl and wget.
void declare(CLI::App& app, const Flag& flag, Options& options) {
  if (const auto* on = std::get_if<bool Options::*>(&flag.target)) {
    app.add_flag(spelled(flag), options.**on)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    return;
  }
  if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&flag.target)) {
    // One value each time; the next word may be an operand.
    app.add_option_function<std::vector<std::string>>(
           spelled(flag),
           [&options, target = *list](const std::vector<std::string>& values) { options.*target = values; })
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return;
  }
  auto target = std::get<std::optional<std::string> Options::*>(flag.target);
  CLI::Option* const option = app.add_option_function<std::string>(
      spelled(flag), [&options, target](const std::string& value) { options.*target = value; });
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  if (value_is_optional(flag)) option->expected(0);  // CLI11 then passes "true"
}

std::string unknown_flag(const Command& command, const std::string& word) {
  std::vector<std::string_view> names;
  for (const Flag& flag : command.flags) names.push_back(flag.name);
  const std::string typed = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const std::string name = typed.substr(0, typed.find('='));
  const bool is_agent = name == "user-agent" && std::ranges::find(names, "agent") != names.end();
  const std::string_view near = is_agent ? "agent" : nearest(name, names);
  const std::string all = command.name.empty() ? " --help" : " " + std::string(command.name) + " --help-all";
  return "unknown option " + base::printable(word.substr(0, word.find('='))) + "; " +
         (near.empty() ? "robotrules" + all + " lists the options" : "did you mean --" + std::string(near) + "?");
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

bool has_empty_value(const Flag& flag, const Options& options) {
  if (const auto* one = std::get_if<std::optional<std::string> Options::*>(&flag.target)) return options.**one == "";
  const auto* const list = std::get_if<std::vector<std::string> Options::*>(&flag.target);
  return list != nullptr && std::ranges::find(options.**list, "") != (options.**list).end();
}

// Returns a sentence if the name of a file or folder is empty: a variable of the shell was probably not set.
std::string check_names(const Command& command, const Options& options) {
  for (const Flag& flag : command.flags) {
    if (is_a_name(flag.takes) && has_empty_value(flag, options)) return missing_value(flag);
  }
  for (std::size_t i = 0; i < options.operands.size(); ++i) {
    const Operand& operand = command.operands[std::min(i, command.operands.size() - 1)];
    if (is_a_name(operand.takes) && options.operands[i].empty()) {
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
  Parsed parsed;
  // Words after "--" are handled here, and operands are the words that CLI11 leaves over, because it splits "[a,b]".
  const auto end_of_flags = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> reversed = prepared(command, {words.begin(), end_of_flags}, parsed.error);
  if (!parsed.error.empty()) return parsed;
  std::reverse(reversed.begin(), reversed.end());

  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  for (const Flag& flag : command.flags) declare(app, flag, parsed.options);
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    parsed.error = in_our_words(command, error);
    return parsed;
  }
  if (parsed.options.help || parsed.options.help_all || parsed.options.version) return parsed;
  for (std::string& word : app.remaining()) {
    if (word.size() > 1 && word.front() == '-') {
      parsed.error = unknown_flag(command, word);
      return parsed;
    }
    parsed.options.operands.push_back(std::move(word));
  }
  if (end_of_flags != words.end()) {
    parsed.options.operands.insert(parsed.options.operands.end(), end_of_flags + 1, words.end());
  }
  parsed.error = check_count(command, parsed.options.operands);
  if (parsed.error.empty()) parsed.error = check_names(command, parsed.options);
  if (parsed.error.empty()) parsed.error = fill_in(command, parsed.options);
  return parsed;
}

}  // namespace robotrules::cli
