// robotrules: the command. Finds the subcommand, reads its flags, runs it.
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "cli/flags/flag_choice.hpp"
#include "cli/flags/flag_help.hpp"
#include "cli/flags/flag_settings.hpp"
#include "cli/flags/given.hpp"
#include "cli/help/help.hpp"
#include "cli/io/colours.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

int usage_error(const Command& command, const std::string& error) {
  report_error(command.name, error);
  return exit_error;
}

int run_program(std::span<const std::string> words) {
  if (words.empty()) {
    write_message(short_help(program()));
    return exit_error;
  }
  if (!words.front().starts_with('-')) {
    return usage_error(program(), unknown_command(words.front()));
  }
  const Parsed parsed = parse(program(), words);
  if (!parsed.error.empty()) return usage_error(program(), parsed.error);
  if (!parsed.given.has("version")) return print_help(program(), false);
  write_all(STDOUT_FILENO, version_text());
  return exit_yes;
}

int run(std::span<const std::string> words) {
  const Command* command = words.empty() ? nullptr : find_command(words.front());
  if (command == nullptr) return run_program(words);
  const Parsed parsed = parse(*command, words.subspan(1));
  const std::string color = parsed.given.text("color", "auto");
  choose_colours(color);
  if (!parsed.error.empty()) return usage_error(*command, parsed.error);
  if (const auto checked = check_value(*find_flag(*command, "color"), color); !checked) {
    return usage_error(*command, checked.error().message);
  }
  const bool all = parsed.given.has("help-all");
  if (all || parsed.given.has("help")) return print_help(*command, all);
  for (const std::string& sentence : find_useless_variables(*command)) complain(command->name, sentence);
  if (const std::string wrong = find_wrong_value(parsed.given); !wrong.empty()) return usage_error(*command, wrong);
  return command->run(parsed.given);
}

}  // namespace
}  // namespace robotrules::cli

int main(int argc, char** argv) {
  robotrules::cli::hold_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // write() fails with EPIPE instead; see terminal.hpp
  std::signal(SIGXFSZ, SIG_IGN);  // write() fails with EFBIG instead if a file reaches its size limit
  try {
    robotrules::cli::choose_colours("auto");
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return robotrules::cli::run(words);
  } catch (const std::bad_alloc&) {
    robotrules::cli::report_error("", "out of memory");
  } catch (const std::exception& error) {
    robotrules::cli::report_error("", error.what());
  }
  return robotrules::cli::exit_error;
}
