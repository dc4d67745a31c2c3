// robotrules lint: mistakes in a robots.txt.
#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include <robotrules/robots_txt.hpp>

#include "base/escape.hpp"
#include "base/userinfo.hpp"
#include "cli/flags/flags.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "lint";

using Counts = std::array<std::size_t, 3>;  // by Severity

void print_text(Output& out, const std::string& name, const Diagnostic& found) {
  constexpr Output::Colour colours[] = {Output::Colour::red, Output::Colour::yellow, Output::Colour::cyan};
  const auto severity = static_cast<std::size_t>(found.severity);
  out << name << ":" << std::to_string(found.line) << ":" << std::to_string(found.column) << ": "
      << out.coloured(colours[severity], to_string(found.severity)) << ": " << base::printable(found.message) << " ["
      << found.code << "]\n";
  if (!found.remedy.empty()) out << "    " << base::printable(found.remedy) << "\n";
}

void print_json(Output& out, const std::string& path, const Diagnostic& found) {
  nlohmann::ordered_json object;
  object["file"] = base::without_userinfo(path);
  object["line"] = found.line;
  object["column"] = found.column;
  object["severity"] = to_string(found.severity);
  object["code"] = found.code;
  object["message"] = found.message;
  object["remedy"] = found.remedy;
  out << json_line(object);
}

}  // namespace

int run_lint(const Options& options) {
  Output out;
  Counts counts{};
  bool input_error = false;
  bool standard_input_read = false;
  std::size_t files = 0;
  Sources sources(options, command, Sources::Excess::seen);
  for (const std::string& path : options.operands) {
    if (path == "-" && standard_input_read) {
      out.flush();
      complain(command, "standard input can be read only once; give \"-\" once");
      input_error = true;
      continue;
    }
    standard_input_read = standard_input_read || path == "-";
    const SourceBytes file = sources.read(path);
    if (!file.ok()) {
      out.flush();
      complain(command, file.error);
      input_error = true;
      continue;
    }
    ++files;
    const std::string name = path == "-" ? "-" : printable_url(path);
    for (const Diagnostic& found : RobotsTxt::parse(file.bytes).diagnostics()) {
      ++counts[static_cast<std::size_t>(found.severity)];
      options.json ? print_json(out, path, found) : print_text(out, name, found);
    }
  }
  out.flush();
  if (files > 0) {
    complain(command, counted(files, "file") + ": " + counted(counts[0], "error") + ", " +
                          counted(counts[1], "warning") + ", " + counted(counts[2], "note"));
  }
  if (input_error) return exit_error;
  return counts[static_cast<std::size_t>(Severity::error)] > 0 ? exit_no : exit_yes;
}

}  // namespace robotrules::cli
