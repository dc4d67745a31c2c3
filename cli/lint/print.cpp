// The findings of one file, and the formats text and json, and that of GitHub's workflow commands.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

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

bool is_consequence(const Diagnostic& finding) {
  const DiagnosticCode* code = find_diagnostic_code(finding.code);
  return code != nullptr && code->consequence;
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

FileReport make_report(std::string path, const RobotsTxt& file, std::vector<Diagnostic> findings,
                       const LintChoice& choice) {
  FileReport report{.path = std::move(path), .file = file, .shown = {}};
  std::erase_if(findings, [&](const Diagnostic& finding) {
    return choice.ignore.contains(finding.code) || (!choice.only.empty() && !choice.only.contains(finding.code));
  });
  std::stable_sort(findings.begin(), findings.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(!is_consequence(a), a.severity) < std::tuple(!is_consequence(b), b.severity);
  });
  // Every finding is shown in the formats for tools that show one beside its line.
  const bool each = choice.all || choice.format != LintChoice::Format::text;
  std::map<std::pair<std::string_view, Severity>, std::size_t> first;  // → index in report.shown
  for (Diagnostic& finding : findings) {
    ++report.counts[static_cast<std::size_t>(finding.severity)];
    if (finding.severity == Severity::note && !choice.notes && choice.only.empty()) {
      ++report.hidden_notes;
      continue;
    }
    const auto [known, fresh] = first.emplace(std::pair(finding.code, finding.severity), report.shown.size());
    if (fresh || each) {
      report.shown.push_back({std::move(finding), {}});
    } else {
      report.shown[known->second].more_lines.push_back(finding.line);
    }
  }
  return report;
}

}  // namespace robotrules::cli
