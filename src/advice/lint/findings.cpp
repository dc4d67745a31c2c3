#include "advice/lint/findings.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/sort.hpp"

namespace robotrules::advice {
namespace {

constexpr std::size_t max_silenced = 10'000;

}  // namespace

std::vector<LineEdit> delete_edit(std::uint32_t line) {
  std::vector<LineEdit> edits(1);
  edits.front().line = line;
  return edits;
}

std::vector<LineEdit> write_edit(std::uint32_t line, std::string text) {
  std::vector<LineEdit> edits = delete_edit(line);
  edits.front().lines.push_back(std::move(text));
  return edits;
}

void Findings::silence(std::uint32_t line, std::string_view code) {
  if (silenced_.size() < max_silenced) silenced_.emplace(line, code);
}

bool Findings::is_silenced(const Diagnostic& finding) const {
  const auto contains = [&](std::uint32_t line) {
    return silenced_.contains(std::pair<std::uint32_t, std::string>(line, finding.code));
  };
  return !silenced_.empty() && (contains(0) || contains(finding.line));
}

void Findings::add(Code code, std::uint32_t line, std::uint32_t column, const Sentence& message,
                   const Sentence& remedy) {
  add(code, line, column, message, remedy, {});
}

void Findings::add(Code code, std::uint32_t line, std::uint32_t column, const Sentence& message, const Sentence& remedy,
                   std::vector<LineEdit> edits, std::optional<Severity> severity) {
  Tally& tally = tallies_[static_cast<std::size_t>(code)];
  if (tally.count++ >= max_per_code) {
    if (tally.first_left_out == 0 || line < tally.first_left_out) tally.first_left_out = line;
    return;
  }
  const DiagnosticCode& known = diagnostic_codes()[static_cast<std::size_t>(code)];
  found_.push_back(
      {known.code, severity.value_or(known.severity), line, column, filled(message), filled(remedy), std::move(edits)});
}

std::vector<Diagnostic> Findings::take() {
  for (std::size_t i = 0; i < code_count; ++i) {
    const Tally& tally = tallies_[i];
    if (tally.count <= max_per_code || i == static_cast<std::size_t>(Code::more_findings)) continue;
    if (silenced_.contains(std::pair<std::uint32_t, std::string>(0, diagnostic_codes()[i].code))) continue;
    add(Code::more_findings, tally.first_left_out, 1,
        {"{} more findings of {} are not listed.", {tally.count - max_per_code, quote(diagnostic_codes()[i].code)}},
        "Fix the listed findings and check again.");
  }
  std::erase_if(found_, [this](const Diagnostic& finding) { return is_silenced(finding); });
  base::sort(found_, [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.line, a.column, a.code, a.message) < std::tie(b.line, b.column, b.code, b.message);
  });
  return std::move(found_);
}

}  // namespace robotrules::advice
