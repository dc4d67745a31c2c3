#include "cli/flags/flags.hpp"

#include <algorithm>

#include <robotrules/crawlers.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/robots_policy.hpp>

#include "cli/flags/flag_choice.hpp"
#include "cli/flags/given.hpp"
#include "cli/flags/tables.hpp"

namespace robotrules::cli {
namespace {

constexpr Flag version = Flag{"version", 'V', "", Takes::nothing,
                              "Print the version, the versions of the libraries and the features, and exit."}
                             .typed_only();
constexpr Flag program_flags[] = {flags::help, version};

constexpr Example program_examples[] = {
    {"robotrules check --agent FooBot https://example.org/page", "May FooBot fetch this page?"},
    {"robotrules lint robots.txt", "What is wrong with this file?"},
    {"robotrules help check", "More about one command."}};

constexpr Status program_statuses[] = {
    {0, "Done."},
    {2, "The command line is wrong; for every command, also: the results cannot be written."},
    {141, "For every command: the program that reads the results has ended, as in \"robotrules ... | head\"."}};

constexpr Command program_itself{
    .name = "",
    .summary = "read, match and explain robots.txt",
    .about =
        "Results go to standard output, everything else to standard error. Colours are used only on a terminal; "
        "--color changes that. Every option can also be in a file (--config) or in a variable (ROBOTRULES_MAX_SIZE for "
        "--max-size).",
    .flags = program_flags,
    .examples = program_examples,
    .statuses = program_statuses};

}  // namespace

std::span<const Command> commands() noexcept {
  static const Command all[] = {check_command,  batch_command,    show_command, diff_command,
                                agents_command, lint_command,     get_command,  db_command_table,
                                page_command,   generate_command, help_command};
  return all;
}

const Command& program() noexcept { return program_itself; }

const Command* find_command(std::string_view name) noexcept {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

const Flag* find_flag(const Command& command, std::string_view name) noexcept {
  const auto found = std::ranges::find(command.flags, name, &Flag::name);
  return found == command.flags.end() ? nullptr : &*found;
}

std::vector<std::string_view> words_for(Takes takes, std::string_view placeholder) {
  std::vector<std::string_view> words;
  switch (takes) {
    case Takes::choice:
      for (std::size_t bar = 0; bar != placeholder.npos;
           placeholder.remove_prefix(std::min(bar + 1, placeholder.size()))) {
        bar = placeholder.find('|');
        words.push_back(placeholder.substr(0, bar));
      }
      break;
    case Takes::dialect:
    case Takes::dialect_or_all:
      for (const Dialect& preset : Dialect::presets()) words.push_back(preset.name);
      if (takes == Takes::dialect_or_all) words.push_back(all_dialects);
      break;
    case Takes::policy:
      for (const RobotsPolicy* preset : RobotsPolicy::presets()) words.push_back(preset->name);
      break;
    case Takes::command:
      for (const Command& command : commands()) words.push_back(command.name);
      break;
    case Takes::codes:
      for (const DiagnosticCode& code : diagnostic_codes()) words.push_back(code.code);
      break;
    case Takes::kinds:
      for (const CrawlerKind& kind : known_crawlers().kinds) words.push_back(kind.name);
      break;
    default: break;
  }
  return words;
}

std::vector<std::string_view> action_names(const Command& command) {
  std::vector<std::string_view> names;
  for (const Action& action : command.actions) names.push_back(action.name);
  return names;
}

std::string full_help(const Flag& flag) {
  std::string text(flag.help);
  if (const std::string range = accepted_range(flag); !range.empty()) text += " Accepts " + range + ".";
  const bool is_dialect = flag.takes == Takes::dialect || flag.takes == Takes::dialect_or_all;
  const bool has_default = is_dialect || flag.takes == Takes::policy;
  if (!has_default && flag.takes != Takes::kinds) return text;
  text += " One of ";
  bool first = true;
  for (const std::string_view word : words_for(flag.takes)) {
    if (word == all_dialects) {
      text += "; or all, to compare them side by side";
      continue;
    }
    text.append(first ? "" : ", ").append(word).append(first && has_default ? " (default)" : "");
    first = false;
  }
  return text + ".";
}

std::string_view heading_of(const Flag& flag) { return flag.group.empty() ? "Options" : flag.group; }

bool value_is_optional(const Flag& flag) noexcept { return flag.placeholder.starts_with("[="); }

std::string with_placeholder(const Flag& flag) {
  std::string text = "--" + std::string(flag.name);
  if (!flag.placeholder.empty() && !value_is_optional(flag)) text += ' ';
  return text.append(flag.placeholder);
}

std::string usage_line(const Command& command) {
  std::string line = "robotrules";
  if (command.name.empty()) return line + " COMMAND [OPTION]...";
  line.append(" ").append(command.name).append(" [OPTION]...");
  for (const Operand& operand : command.operands) {
    line.append(operand.min == 0 ? " [" : " ").append(operand.name).append(operand.min == 0 ? "]" : "");
    if (operand.max == any_number) line += "...";
  }
  return line;
}

}  // namespace robotrules::cli
