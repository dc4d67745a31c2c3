#include "cli/flags/parse.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "base/escape.hpp"
#include "cli/flags/settings.hpp"
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
  std::string error = "unknown option " + base::printable(word);
  std::vector<std::string_view> names;
  for (const Flag& flag : command.flags) names.push_back(flag.name);
  const std::string typed = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const std::string name = typed.substr(0, typed.find('='));
  if (name == "user-agent" && std::ranges::find(names, "agent") != names.end())
    return error + "; did you mean --agent?";
  const auto near = nearest(name, names);
  if (!near.empty()) error += "; did you mean --" + std::string(near) + "?";
  return error;
}

std::string check_count(const Command& command, const std::vector<std::string>& operands) {
  if (command.operands.empty()) {
    return operands.empty() ? "" : "takes no operands, but \"" + base::printable(operands.front()) + "\" was given";
  }
  std::size_t least = 0;
  std::size_t most = 0;
  std::string names;
  for (const Operand& operand : command.operands) {
    if (operands.size() < least + operand.min) return "no " + std::string(operand.name) + " was given";
    least += operand.min;
    most = operand.max == any_number ? any_number : most + operand.max;
    names.append(names.empty() ? "" : " and one ").append(operand.name);
  }
  if (operands.size() > most) {
    return "takes one " + names + ", but \"" + base::printable(operands[most]) + "\" was given too";
  }
  return {};
}

std::string in_our_words(const CLI::ParseError& error) {
  std::string text = base::printable(error.what());
  std::replace(text.begin(), text.end(), '\n', ' ');
  // CLI11 names the option first: "--agent: 1 required TEXT missing".
  const bool lacks_value = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  return lacks_value ? text.substr(0, text.find(':')) + " needs a value" : text;
}

}  // namespace

Parsed parse(const Command& command, std::span<const std::string> words) {
  Parsed parsed;
  // Words after "--" are handled here, and operands are the words that CLI11 leaves over, because it splits "[a,b]".
  const auto end_of_flags = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> reversed(words.begin(), end_of_flags);
  std::reverse(reversed.begin(), reversed.end());

  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  for (const Flag& flag : command.flags) declare(app, flag, parsed.options);
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    parsed.error = in_our_words(error);
    return parsed;
  }
  if (parsed.options.help || parsed.options.version) return parsed;
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
  if (parsed.error.empty()) parsed.error = fill_in(command, parsed.options);
  return parsed;
}

}  // namespace robotrules::cli
