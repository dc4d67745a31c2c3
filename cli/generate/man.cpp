#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/version.hpp>

#include "cli/flags/flag_help.hpp"
#include "cli/flags/flag_settings.hpp"
#include "cli/generate/generate.hpp"

namespace robotrules::cli {
namespace {

// Returns text for roff, without requests and escapes; "-" is a hyphen that can be typed.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
  }
  return out;
}

// A value that an options file may have, for the example of the manual page.
struct FileValue {
  std::string_view name;
  std::string_view value;  // TOML
};
constexpr FileValue file_values[] = {{"agent", "\"FooBot/1.0\""},
                                     {"from", "\"me@example.org\""},
                                     {"delay", "\"2s\""},
                                     {"max-size", "\"10MB\""},
                                     {"format", "\"sarif\""},
                                     {"ignore", "[\"star-at-end\"]"},
                                     {"timeout", "\"10s\""},
                                     {"policy", "\"strict\""},
                                     {"allow-address", "[\"10.0.0.0/8\"]"},
                                     {"json", "true"}};
constexpr std::size_t max_file_values = 4;

constexpr std::size_t example_width = 66;  // columns of a screen of 80 that the margins leave

constexpr std::string_view colour_variables =
    ".TP\n\\fBNO_COLOR\\fR\nIf it is set and not empty, no colours are used, unless \\-\\-color says otherwise.\n"
    ".TP\n\\fBCLICOLOR_FORCE\\fR\nIf it is set and neither empty nor 0, colours are also used if the output is not a "
    "terminal.\n";
constexpr std::string_view config_variable = ".TP\n\\fBROBOTRULES_CONFIG\\fR\nThe file of \\-\\-config.\n";
constexpr std::string_view variable_rules =
    "its long name in capitals, with _ for \\-, such as ROBOTRULES_ALLOW_ADDRESS for \\-\\-allow\\-address. Switches "
    "are "
    "true or false. A comma separates the values of an option that may be repeated; ";
constexpr std::string_view file_rules =
    "The file of \\-\\-config is TOML. Its table with the name of the command has the long names of options as keys. "
    "Keys above all tables are for every command that has the option. "
    "Switches are true or false, times and sizes are numbers or strings with units, and options that may be repeated "
    "take arrays. Tables with the names of other commands are not read. Variables and the command line override the "
    "file.\n";

// The first paragraph continues the text before it.
void paragraphs(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t end = text.find("\n\n");
    out.append(roff(text.substr(0, end))).append("\n");
    if (end == std::string_view::npos) return;
    out += ".PP\n";
    text.remove_prefix(end + 2);
  }
}

void flag_entry(std::string& out, const Flag& flag) {
  out += ".TP\n";
  if (flag.letter != 0) out.append("\\fB\\-").append(1, flag.letter).append("\\fR, ");
  out.append("\\fB\\-\\-").append(roff(flag.name)).append("\\fR");
  if (!flag.placeholder.empty())
    out.append(value_is_optional(flag) ? "\\fI" : " \\fI").append(roff(flag.placeholder)).append("\\fR");
  out.append("\n").append(roff(full_help(flag))).append("\n");
}

void section(std::string& out, std::string_view name) { out.append(".SH ").append(name).append("\n"); }

void example_lines(std::string& out, std::string_view lines) {
  out.append(".PP\n.RS 4\n.nf\n").append(roff(lines)).append("\n.fi\n.RE\n");
}

void add_examples(std::string& out, const Command& command) {
  section(out, "EXAMPLES");
  bool first = true;
  for (const Example& example : command.examples) {
    out.append(first ? "" : ".PP\n").append(roff(example.says)).append("\n");
    example_lines(out, wrapped_command(example.line, example_width, 4));
    first = false;
  }
}

void add_statuses(std::string& out, const Command& command) {
  section(out, "EXIT STATUS");
  for (const Status& status : command.statuses) {
    out.append(".TP\n\\fB").append(std::to_string(status.number)).append("\\fR\n");
    out.append(roff(status.means)).append("\n");
  }
}

void add_flags(std::string& out, const Command& command) {
  section(out, "OPTIONS");
  std::optional<std::string_view> group;
  for (const Flag& flag : command.flags) {
    if (group != flag.group && !flag.group.empty()) out.append(".SS ").append(roff(heading_of(flag))).append("\n");
    group = flag.group;
    flag_entry(out, flag);
  }
}

void add_operands(std::string& out, const Command& command) {
  if (!command.operands.empty()) section(out, "OPERANDS");
  for (const Operand& operand : command.operands) {
    out.append(".TP\n\\fI").append(roff(operand.name)).append("\\fR\n").append(roff(operand.help)).append("\n");
  }
  if (!command.actions.empty()) section(out, "ACTIONS");
  for (const Action& action : command.actions) {
    out.append(".TP\n\\fB").append(roff(action.name)).append("\\fR");
    if (!action.argument.empty()) out.append(" \\fI").append(roff(action.argument)).append("\\fR");
    out.append("\n").append(roff(action.help)).append("\n");
  }
}

// Returns a sentence about the variables that have line breaks between their values.
std::string line_break_rule(const Command& command) {
  std::string names;
  for (const Flag& flag : command.flags) {
    if (!flag.is_typed_only && flag.lists == Lists::lines)
      names.append(names.empty() ? "" : " and ").append(variable_of(flag));
  }
  return names.empty() ? "" : "in " + names + " it is a line break. ";
}

std::string variables_of(const Command& command) {
  std::string names;
  for (const Flag& flag : command.flags) {
    if (!flag.is_typed_only && flag.name != "config") names.append(names.empty() ? "" : ", ").append(variable_of(flag));
  }
  return names;
}

void add_settings(std::string& out, const Command& command) {
  section(out, "ENVIRONMENT");
  const bool takes = takes_settings(command);
  if (takes) {
    out.append(".TP\n\\fBROBOTRULES_\\fINAME\\fR\nAn option: ").append(variable_rules).append(line_break_rule(command));
    out.append("Options on the command line override the variables.\n.IP\nThe variables are ")
        .append(variables_of(command))
        .append(".\n");
    out += config_variable;
  }
  out += colour_variables;
  if (!takes) return;
  section(out, "FILES");
  out += file_rules;
  std::string lines = "[" + std::string(command.name) + "]";
  std::size_t count = 0;
  for (const FileValue& value : file_values) {
    const auto has_it = [&value](const Flag& flag) { return flag.name == value.name; };
    if (count == max_file_values || !std::ranges::any_of(command.flags, has_it)) continue;
    lines.append("\n").append(value.name).append(" = ").append(value.value);
    ++count;
  }
  example_lines(out, lines);
}

// "robotrules\-get".
std::string page_name(const Command& command) {
  return command.name.empty() ? "robotrules" : "robotrules\\-" + std::string(command.name);
}

// Appends the pages of the other commands, and of robotrules itself.
void add_see_also(std::string& out, const Command& command) {
  section(out, "SEE ALSO");
  std::string pages = command.name.empty() ? "" : "\\fBrobotrules\\fR(1)";
  for (const Command& other : commands()) {
    if (other.name == command.name) continue;
    pages.append(pages.empty() ? "" : ",\n").append("\\fB").append(page_name(other)).append("\\fR(1)");
  }
  out.append(pages).append("\n");
}

// The name in the title is not escaped: it is the name of the file, in capitals.
std::string head(const Command& command) {
  std::string title = command.name.empty() ? "ROBOTRULES" : "ROBOTRULES-" + std::string(command.name);
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  std::string out = ".TH " + title + " 1 \"\" \"robotrules " ROBOTRULES_VERSION "\" \"User Commands\"\n";
  // Left-justified and without hyphenation: option names stay whole.
  out += ".ad l\n.nh\n.SH NAME\n" + page_name(command) + " \\- ";
  out.append(roff(command.summary)).append("\n.SH SYNOPSIS\n").append(roff(usage_line(command))).append("\n");
  section(out, "DESCRIPTION");
  paragraphs(out, command.about);
  return out;
}

std::string program_page() {
  std::string out = head(program());
  section(out, "COMMANDS");
  for (const Command& command : commands()) {
    out.append(".TP\n\\fB").append(command.name).append("\\fR\n").append(roff(command.summary));
    out.append(" (see \\fB").append(page_name(command)).append("\\fR(1))\n");
  }
  section(out, "OPTIONS");
  for (const Flag& flag : program().flags) flag_entry(out, flag);
  add_statuses(out, program());
  out += ".PP\nEvery command has its own exit statuses; its page lists them.\n";
  section(out, "ENVIRONMENT");
  out.append(".TP\n\\fBROBOTRULES_\\fINAME\\fR\nAn option of a command that has \\-\\-config: ").append(variable_rules);
  out.append(
      "the page of the command says where it is a line break. Options on the command line override the variables.\n");
  out.append(config_variable).append(colour_variables);
  section(out, "FILES");
  out += file_rules;
  add_examples(out, program());
  add_see_also(out, program());
  return out;
}

}  // namespace

std::string man_page(const Command& command) {
  if (command.name.empty()) return program_page();
  std::string out = head(command);
  add_operands(out, command);
  add_flags(out, command);
  add_statuses(out, command);
  add_settings(out, command);
  add_examples(out, command);
  add_see_also(out, command);
  return out;
}

}  // namespace robotrules::cli
