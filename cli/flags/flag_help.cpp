#include "cli/flags/flag_help.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

// Columns of a flag with its value, if the text is beside it.
constexpr std::size_t max_short_head = 35;
constexpr std::size_t max_head = 24;
constexpr std::size_t max_short_examples = 3;  // of a command in its short help
constexpr std::size_t continued_indent = 4;    // of a command line that goes on, after its first line

// Returns the words of a line of a shell. A flag and its value are one, and so are ">" and the file after it.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  char quote = 0;
  bool in_word = false;
  for (const char c : line) {
    if (c == ' ' && quote == 0) {
      in_word = false;
      continue;
    }
    if (quote != 0 ? c == quote : c == '\'' || c == '"') quote = quote == 0 ? c : '\0';
    if (!in_word) words.emplace_back();
    in_word = true;
    words.back() += c;
  }
  std::vector<std::string> joined;
  for (std::string& word : words) {
    const bool follows_flag = !joined.empty() && joined.back().starts_with('-') &&
                              joined.back().find(' ') == word.npos && !word.starts_with('-') && word != "|";
    const bool follows_sign = !joined.empty() && (joined.back() == ">" || joined.back() == "<");
    if (follows_flag || follows_sign) {
      joined.back().append(" ").append(word);
    } else {
      joined.push_back(std::move(word));
    }
  }
  return joined;
}

class HelpText {
 public:
  HelpText(std::size_t width, const Paint& paint) : width_(width), paint_(paint) {}

  std::string take() { return std::move(out_); }

  void add(std::string_view text) { out_ += text; }

  // Appends `text` in lines of at most the width, each after `indent` spaces; the first line begins at column `at`.
  void wrap(std::string_view text, std::size_t indent, std::size_t at) {
    for (;; at = 0) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      out_.append(wrapped(text.substr(0, end), width_, indent, at)).append("\n");
      if (end == text.size()) return;
      text.remove_prefix(end + 1);
    }
  }

  void heading(std::string_view name) {
    out_.append("\n").append(paint_(Style::heading, std::string(name) + ":")).append("\n");
  }

  // Appends a head and the text beside it, or below it if the head is longer than `column`.
  void entry(std::string head, std::string_view text, std::size_t column) {
    head.insert(0, 2, ' ');
    if (head.size() + 2 > column) {
      out_ += head + "\n" + std::string(column, ' ');
    } else {
      head.resize(column, ' ');
      out_ += head;
    }
    wrap(text, column, column);
  }

  void usage(const Command& command) {
    out_ += paint_(Style::heading, "Usage:") + " ";
    wrap(usage_line(command), 7, 7);
    out_ += '\n';
  }

  void examples(std::span<const Example> examples) {
    heading("Examples");
    for (const Example& example : examples) {
      out_.append("  ").append(wrapped_command(example.line, width_ - 2, 2 + continued_indent)).append("\n      ");
      wrap(example.says, 6, 6);
    }
  }

 private:
  std::size_t width_;
  const Paint& paint_;
  std::string out_;
};

std::string head_of(const Flag& flag) {
  return (flag.letter != 0 ? std::string("-") + flag.letter + ", " : "    ") + with_placeholder(flag);
}

std::string head_of(const Action& action) {
  return std::string(action.name) + (action.argument.empty() ? "" : " ") + std::string(action.argument);
}

// Returns the column of the texts beside the heads of a command.
std::size_t column_of(const Command& command, bool is_short) {
  std::vector<std::string> heads;
  for (const Action& action : command.actions) heads.push_back(head_of(action));
  for (const Flag& flag : command.flags) {
    if (!is_short || !flag.brief.empty()) heads.push_back(head_of(flag));
  }
  std::size_t longest = 0;
  for (const std::string& head : heads) {
    if (head.size() <= (is_short ? max_short_head : max_head)) longest = std::max(longest, head.size());
  }
  return longest + 4;
}

void add_flags(HelpText& text, const Command& command, std::size_t column, bool is_short) {
  std::optional<std::string_view> group;
  for (const Flag& flag : command.flags) {
    if (is_short && flag.brief.empty()) continue;
    if (group != flag.group) text.heading(heading_of(flag));
    group = flag.group;
    text.entry(head_of(flag), is_short ? std::string(flag.brief) : full_help(flag), column);
  }
}

void add_statuses(HelpText& text, const Command& command, std::size_t column) {
  text.heading("Exit status");
  for (const Status& status : command.statuses) text.entry(std::to_string(status.number), status.means, column);
}

std::string program_help(std::size_t width, const Paint& paint) {
  HelpText text(width, paint);
  text.usage(program());
  text.wrap("robotrules: " + std::string(program().summary), 0, 0);
  text.add("\n");
  text.wrap(program().about, 0, 0);
  const std::size_t column = column_of(program(), false);
  text.heading("Commands");
  for (const Command& each : commands()) {
    if (!each.hidden) text.entry(std::string(each.name), each.summary, column);
  }
  add_flags(text, program(), column, false);
  text.examples(program().examples);
  add_statuses(text, program(), column);
  return text.take();
}

}  // namespace

std::string wrapped_command(std::string_view line, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t at = 0;
  for (const std::string& word : words_of(line)) {
    if (!out.empty() && at + 1 + word.size() + 2 > width) {  // two columns for the backslash
      out.append(" \\\n").append(indent, ' ');
      at = indent;
    } else if (!out.empty()) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
  }
  return out;
}

std::string short_help(const Command& command, std::size_t width, const Paint& paint) {
  if (command.name.empty()) return program_help(width, paint);
  HelpText text(width, paint);
  text.usage(command);
  text.wrap(command.about.substr(0, command.about.find("\n\n")), 0, 0);
  const std::size_t column = column_of(command, true);
  if (!command.actions.empty()) text.heading("Actions");
  for (const Action& action : command.actions) text.entry(head_of(action), action.brief, column);
  add_flags(text, command, column, true);
  text.examples(command.examples.first(std::min(command.examples.size(), max_short_examples)));
  const std::string name = "robotrules " + std::string(command.name);
  text.add("\n" + name + " --help-all lists all " + std::to_string(command.flags.size()) + " options.\n");
  return text.take();
}

std::string full_help_text(const Command& command, std::size_t width, const Paint& paint) {
  HelpText text(width, paint);
  text.usage(command);
  text.wrap(command.about, 0, 0);
  const std::size_t column = column_of(command, false);
  if (!command.operands.empty()) text.heading("Operands");
  for (const Operand& operand : command.operands) text.entry(std::string(operand.name), operand.help, column);
  if (!command.actions.empty()) text.heading("Actions");
  for (const Action& action : command.actions) text.entry(head_of(action), action.help, column);
  add_flags(text, command, column, false);
  text.examples(command.examples);
  add_statuses(text, command, column);
  return text.take();
}

}  // namespace robotrules::cli
