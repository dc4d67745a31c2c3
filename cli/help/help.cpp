#include "cli/help/help.hpp"

#include <unistd.h>

#include <algorithm>

#include "cli/flags/flag_choice.hpp"
#include "cli/flags/flag_help.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

// Longer lines are hard to read.
constexpr std::size_t max_width = 100;
constexpr std::size_t min_width = 60;

}  // namespace

int print_help(const Command& command, bool all) {
  const std::size_t width = std::clamp(terminal_size(STDOUT_FILENO).columns, min_width, max_width);
  write_all(STDOUT_FILENO,
            all ? full_help_text(command, width, results_paint()) : short_help(command, width, results_paint()));
  return exit_yes;
}

int run_help(const Given& given) {
  if (given.operands.empty()) return print_help(program(), false);
  const Command* const command = find_command(given.operands.front());
  if (command == nullptr) return refuse("help", unknown_command(given.operands.front()));
  return print_help(*command, false);
}

}  // namespace robotrules::cli
