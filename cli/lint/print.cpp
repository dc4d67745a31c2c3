// The formats text and json, and that of GitHub's workflow commands.
#include <algorithm>
#include <string>

#include "base/escape.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/text.hpp"
#include "cli/lint/report.hpp"

namespace robotrules::cli {
namespace {

constexpr std::size_t max_lines = 10;  // that a finding lists

// Returns "3 more lines like this: 7, 8, 12"
std::string more(const Shown& shown) {
  const auto& lines = shown.more_lines;
  std::string text = counted(lines.size(), "more line") + " like this: ";
  for (std::size_t i = 0; i < std::min(lines.size(), max_lines); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(lines[i]);
  }
  return text + (lines.size() > max_lines ? ", ..." : "");
}

// Returns the text with the characters escaped that end a workflow command, or one of its properties.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%': out += "%25"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      case ':': out += property ? "%3A" : ":"; break;
      case ',': out += property ? "%2C" : ","; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

void print_text(Output& out, const FileReport& report) {
  constexpr Style styles[] = {Style::bad, Style::mixed, Style::note};  // by Severity
  constexpr std::size_t indent = 4;
  const std::string name = base::printable(report.path);
  const auto below = [&](const std::string& text) {
    out << std::string(indent, ' ') << out.fitted_line(text, indent, indent) << "\n";
  };
  for (const Shown& shown : report.shown) {
    const Diagnostic& found = shown.finding;
    std::string place = name + ":";
    if (found.line > 0) place += std::to_string(found.line) + ":" + std::to_string(found.column) + ":";
    const std::string line = out.painted(Style::heading, place) + " " +
                             out.painted(styles[static_cast<std::size_t>(found.severity)], to_string(found.severity)) +
                             ": " + base::printable(found.message) + " " +
                             out.painted(Style::aside, "[" + std::string(found.code) + "]");
    out << out.fitted_line(line, indent / 2) << "\n";
    if (!found.remedy.empty()) below(base::printable(found.remedy));
    if (!shown.more_lines.empty()) below(out.painted(Style::aside, "(" + more(shown) + ")"));
  }
}

void print_json(Output& out, const FileReport& report) {
  for (const Shown& shown : report.shown) {
    const Diagnostic& found = shown.finding;
    nlohmann::ordered_json object;
    object["file"] = report.path;
    object["line"] = found.line;
    object["column"] = found.column;
    object["severity"] = to_string(found.severity);
    object["code"] = found.code;
    object["message"] = found.message;
    object["remedy"] = found.remedy;
    object["edits"] = nlohmann::ordered_json::array();
    for (const LineEdit& edit : found.edits) object["edits"].push_back({{"line", edit.line}, {"lines", edit.lines}});
    out << json_line(object);
  }
}

void print_github(Output& out, const FileReport& report) {
  constexpr std::string_view levels[] = {"error", "warning", "notice"};
  for (const Shown& shown : report.shown) {
    const Diagnostic& found = shown.finding;
    out << "::" << levels[static_cast<std::size_t>(found.severity)]
        << " file=" << escaped(base::printable(report.path), true);
    if (found.line > 0) out << ",line=" << std::to_string(found.line) << ",col=" << std::to_string(found.column);
    const std::string text = base::printable(found.message) + "\n" + base::printable(found.remedy);
    out << ",title=" << escaped(found.code, true) << "::" << escaped(text, false) << "\n";
  }
}

void print_github_error(Output& out, std::string_view error) { out << "::error::" << escaped(error, false) << "\n"; }

}  // namespace robotrules::cli
