// robotrules: the command. Finds the subcommand, reads its flags, runs it.
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <robotrules/user_agent.hpp>
#include <robotrules/version.hpp>

#include "base/escape.hpp"
#include "cli/flags/flags.hpp"
#include "cli/flags/help.hpp"
#include "cli/flags/parse.hpp"
#include "cli/flags/settings.hpp"
#include "cli/io/network.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

void print(std::string_view text) { write_all(STDOUT_FILENO, text); }

int usage_error(const Command& command, const std::string& error) {
  std::string hint = "\nTry: robotrules ";
  if (!command.name.empty()) hint.append(command.name).append(" ");
  complain(command.name, error + hint + "--help");
  return exit_error;
}

int run_program(std::span<const std::string> words) {
  if (words.empty()) {
    write_message(help_text(program()));
    return exit_error;
  }
  if (!words.front().starts_with('-')) {
    std::vector<std::string_view> names;
    for (const Command& command : commands()) names.push_back(command.name);
    const std::string_view near = nearest(words.front(), names);
    return usage_error(program(), "unknown command \"" + base::printable(words.front()) + "\"" +
                                      (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
  }
  const Parsed parsed = parse(program(), words);
  if (!parsed.error.empty()) return usage_error(program(), parsed.error);
  if (parsed.options.version) {
    print("robotrules " ROBOTRULES_VERSION "\n" + connection_library() + '\n');
  } else {
    print(help_text(program()));
  }
  return exit_yes;
}

int run(std::span<const std::string> words) {
  const Command* command = words.empty() ? nullptr : find_command(words.front());
  if (command == nullptr) return run_program(words);
  const Parsed parsed = parse(*command, words.subspan(1));
  if (!parsed.error.empty()) return usage_error(*command, parsed.error);
  if (parsed.options.help) {
    print(help_text(*command));
    return exit_yes;
  }
  for (const std::string& sentence : find_misspelt_variables(*command)) complain(command->name, sentence);
  // Wrong values are errors also if nothing is fetched.
  if (const auto network = choose_network(parsed.options); !network) {
    return refuse(command->name, network.error().message);
  }
  return command->run(parsed.options);
}

}  // namespace
}  // namespace robotrules::cli

int main(int argc, char** argv) {
  robotrules::cli::hold_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // write() fails with EPIPE instead; see terminal.hpp
  std::signal(SIGXFSZ, SIG_IGN);  // write() fails with EFBIG instead if a file reaches its size limit
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return robotrules::cli::run(words);
  } catch (const std::bad_alloc&) {
    robotrules::cli::complain("", "out of memory");
  } catch (const std::exception& error) {
    robotrules::cli::complain("", error.what());
  }
  return robotrules::cli::exit_error;
}
