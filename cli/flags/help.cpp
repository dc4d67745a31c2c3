#include "cli/flags/help.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace robotrules::cli {
namespace {

constexpr std::size_t width = 80;

// Appends `text` in lines of at most `width`, each after `indent` spaces; the first line begins at column `at`.
void wrap(std::string& out, std::string_view text, std::size_t indent, std::size_t at) {
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (!first && at + 1 + end > width) {
      out += '\n';
      out.append(indent, ' ');
      at = indent;
    } else if (!first && at > indent) {
      out += ' ';
      ++at;
    }
    out.append(text, 0, end);
    at += end;
    first = false;
    if (end < text.size() && text[end] == '\n') {
      out += '\n';
      at = 0;
      first = true;
      for (text.remove_prefix(end); text.starts_with('\n'); text.remove_prefix(1)) out += '\n';
      out.pop_back();
      continue;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out += '\n';
}

void entry(std::string& out, std::string head, std::string_view text) {
  constexpr std::size_t column = 26;
  head.insert(0, 2, ' ');
  if (head.size() + 2 > column) {
    out += head + "\n" + std::string(column, ' ');
  } else {
    head.resize(column, ' ');
    out += head;
  }
  wrap(out, text, column, column);
}

}  // namespace

std::string help_text(const Command& command) {
  std::string out = "Usage: ";
  wrap(out, usage_line(command), 7, 7);
  out += '\n';
  if (command.name.empty()) wrap(out, "robotrules: " + std::string(command.summary), 0, 0), out += '\n';
  wrap(out, command.about, 0, 0);

  if (command.name.empty()) {
    out += "\nCommands:\n";
    for (const Command& each : commands()) {
      if (!each.hidden) entry(out, std::string(each.name), each.summary);
    }
  }
  if (!command.operands.empty()) out += "\nOperands:\n";
  for (const Operand& operand : command.operands) entry(out, std::string(operand.name), operand.help);
  std::optional<std::string_view> group;
  for (const Flag& flag : command.flags) {
    if (group != flag.group) out.append("\n").append(heading_of(flag)).append(":\n");
    group = flag.group;
    std::string head = flag.letter != 0 ? std::string("-") + flag.letter + ", " : "    ";
    entry(out, head + with_placeholder(flag), full_help(flag));
  }
  out += "\nExamples:\n";
  for (const Example& example : command.examples) {
    out += "  ";
    out.append(example.line).append("\n      ");
    wrap(out, example.says, 6, 6);
  }
  out += "\nExit status:\n";
  for (const Status& status : command.statuses) entry(out, std::to_string(status.number), status.means);
  return out;
}

}  // namespace robotrules::cli
