#include <optional>
#include <string>
#include <string_view>

#include <robotrules/version.hpp>

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

// Where `get` finds options besides its command line (settings.hpp, config_file.hpp).
constexpr std::string_view environment =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBROBOTRULES_\\fINAME\\fR\n"
    "An option of robotrules get: its long name in capitals, with _ for \\-, such as ROBOTRULES_MAX_SIZE for "
    "\\-\\-max\\-size. Switches are true or false. A comma separates the values of an option that may be repeated; in "
    "ROBOTRULES_USER and ROBOTRULES_HEADER it is a line break. Options on the command line override the variables.\n"
    ".TP\n\\fBROBOTRULES_CONFIG\\fR\nThe file of \\-\\-config.\n"
    ".TP\n\\fBNO_COLOR\\fR\nIf it is set and not empty, no colours are used.\n"
    ".SH FILES\n"
    "The file of robotrules get \\-\\-config is TOML. Its table [get] has the long names of options as keys. Switches "
    "are true or false, times and sizes are numbers or strings with units, and options that may be repeated take "
    "arrays. Tables with the names of other commands are not read. Variables and the command line override the file.\n"
    ".PP\n.RS 4\n.nf\n[get]\ndelay = \"2s\"\nmax\\-size = \"10MB\"\nobey\\-page = true\n"
    "allow\\-address = [\"127.0.0.0/8\", \"10.0.0.0/8\"]\n.fi\n.RE\n";

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

void examples(std::string& out, const Command& command) {
  for (const Example& example : command.examples) {
    out.append(roff(example.says)).append("\n.PP\n.RS 4\n.nf\n");
    out.append(roff(example.line)).append("\n.fi\n.RE\n.PP\n");
  }
}

void statuses(std::string& out, const Command& command) {
  for (const Status& status : command.statuses) {
    out.append(".TP\n\\fB")
        .append(std::to_string(status.number))
        .append("\\fR\n")
        .append(roff(status.means))
        .append("\n");
  }
}

void command_section(std::string& out, const Command& command) {
  out.append(".SS robotrules ").append(roff(command.name)).append("\n");
  out.append(".nf\n").append(roff(usage_line(command))).append("\n.fi\n.PP\n");
  paragraphs(out, command.about);
  for (const Operand& operand : command.operands) {
    out.append(".TP\n\\fI").append(roff(operand.name)).append("\\fR\n").append(roff(operand.help)).append("\n");
  }
  std::optional<std::string_view> group;
  for (const Flag& flag : command.flags) {
    if (group != flag.group) out.append(".PP\n").append(roff(heading_of(flag))).append(":\n");
    group = flag.group;
    flag_entry(out, flag);
  }
  out += ".PP\nExit status:\n";
  statuses(out, command);
}

}  // namespace

std::string man_page() {
  std::string out = ".TH ROBOTRULES 1 \"\" \"robotrules " ROBOTRULES_VERSION "\" \"User Commands\"\n";
  // Left-justified and without hyphenation: option names stay whole.
  out += ".ad l\n.nh\n";
  out.append(".SH NAME\nrobotrules \\- ").append(roff(program().summary)).append("\n.SH SYNOPSIS\n.nf\n");
  for (const Command& command : commands()) out.append(roff(usage_line(command))).append("\n");
  out += ".fi\n.SH DESCRIPTION\n";
  paragraphs(out, program().about);
  for (const Flag& flag : program().flags) flag_entry(out, flag);
  out += ".SH COMMANDS\n";
  for (const Command& command : commands()) command_section(out, command);
  out += ".SH EXAMPLES\n";
  for (const Command& command : commands()) examples(out, command);
  out.resize(out.size() - std::string_view(".PP\n").size());
  out += ".SH EXIT STATUS\n";
  statuses(out, program());
  out += ".PP\nEvery command has its own exit statuses; see its section.\n";
  out += environment;
  return out;
}

}  // namespace robotrules::cli
