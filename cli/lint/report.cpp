#include "cli/lint/report.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace robotrules::cli {
namespace {

bool is_consequence(const Diagnostic& finding) {
  const DiagnosticCode* code = find_diagnostic_code(finding.code);
  return code != nullptr && code->consequence;
}

}  // namespace

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
