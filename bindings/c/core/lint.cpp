#include <iterator>

#include "c/core/common.hpp"
#include "c/core/handles.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::Diagnostic;
using robotrules::LintOptions;
using robotrules::Severity;

static_assert(static_cast<int>(Severity::error) == ROBOTRULES_SEVERITY_ERROR);
static_assert(static_cast<int>(Severity::warning) == ROBOTRULES_SEVERITY_WARNING);
static_assert(static_cast<int>(Severity::note) == ROBOTRULES_SEVERITY_NOTE);

LintOptions options_of(const robotrules_lint_options& from) {
  LintOptions options;
  if (from.known_robots != 0) options.robots = robotrules::known_robots();
  if (from.fetched != 0) {
    auto& fetched = options.fetched.emplace();
    fetched.status = from.status;
    fetched.redirects = from.redirects;
    fetched.content_type = view_of(from.content_type);
    if (from.max_age >= 0) fetched.max_age = std::chrono::seconds(from.max_age);
  }
  return options;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out += '\n';
    out += lines[i];
  }
  return out;
}

std::vector<Finding> findings_of(std::vector<Diagnostic> diagnostics) {
  std::vector<Finding> out;
  out.reserve(diagnostics.size());
  for (Diagnostic& found : diagnostics) {
    Finding& finding = out.emplace_back();
    for (const auto& edit : found.edits) finding.edits.push_back({edit.line, edit.lines.size(), joined(edit.lines)});
    finding.found = std::move(found);
  }
  return out;
}

const std::vector<Finding>* rows_of(const robotrules_findings* findings) noexcept {
  return findings != nullptr ? &findings->findings : nullptr;
}

// Gives the count at `index`. `counts` is null if its handle is.
robotrules_status give_count(const robotrules::CodeCounts* counts, std::size_t index,
                             robotrules_code_count* out) noexcept {
  if (out == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *out = {str_of({}), 0};
  if (counts == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  if (index >= counts->size()) return ROBOTRULES_OUT_OF_RANGE;
  const auto& [code, count] = *std::next(counts->begin(), static_cast<std::ptrdiff_t>(index));
  *out = {str_of(code), count};
  return ROBOTRULES_OK;
}

}  // namespace

void robotrules_severity_name(std::int32_t severity, robotrules_str* name) noexcept {
  if (name == nullptr) return;
  const bool known = severity >= ROBOTRULES_SEVERITY_ERROR && severity <= ROBOTRULES_SEVERITY_NOTE;
  *name = str_of(known ? robotrules::to_string(static_cast<Severity>(severity)) : "");
}

robotrules_status robotrules_file_lint(const robotrules_file* file, const robotrules_lint_options* options,
                                       robotrules_findings** findings) noexcept {
  robotrules_lint_options given = ROBOTRULES_LINT_OPTIONS_INIT;
  const bool valid = file != nullptr && (options == nullptr || read_struct<sizeof given>(options, given)) &&
                     is_text(given.content_type);
  return give(findings, valid, [&] { return findings_of(diagnose(file->file, options_of(given))); });
}

std::size_t robotrules_findings_count(const robotrules_findings* findings) noexcept {
  return findings != nullptr ? findings->findings.size() : 0;
}

robotrules_status robotrules_findings_at(const robotrules_findings* findings, std::size_t index,
                                         robotrules_finding* finding) noexcept {
  return give_row(finding, rows_of(findings), index, [](const Finding* from) -> robotrules_finding {
    if (from == nullptr) return {str_of({}), str_of({}), str_of({}), 0, 0, 0, 0};
    return {str_of(from->found.code),
            str_of(from->found.message),
            str_of(from->found.remedy),
            from->edits.size(),
            static_cast<std::int32_t>(from->found.severity),
            from->found.line,
            from->found.column};
  });
}

robotrules_status robotrules_findings_edit(const robotrules_findings* findings, std::size_t index, std::size_t edit,
                                           robotrules_edit* change) noexcept {
  const auto convert = [](const Finding::Edit* from) -> robotrules_edit {
    if (from == nullptr) return {str_of({}), 0, 0};
    return {str_of(from->text), from->line_count, from->line};
  };
  static const std::vector<Finding::Edit> none;
  if (findings == nullptr) return give_row(change, static_cast<decltype(&none)>(nullptr), edit, convert);
  return give_row(change, index < findings->findings.size() ? &findings->findings[index].edits : &none, edit, convert);
}

robotrules_status robotrules_findings_apply(const robotrules_findings* findings, std::size_t index, const char* text,
                                            std::size_t text_size, robotrules_text** changed) noexcept {
  if (changed == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *changed = nullptr;
  if (findings == nullptr || !is_text(text, text_size)) return ROBOTRULES_INVALID_ARGUMENT;
  if (index >= findings->findings.size()) return ROBOTRULES_OUT_OF_RANGE;
  return give(changed, true,
              [&] { return robotrules::with_edits(view_of(text, text_size), findings->findings[index].found.edits); });
}

void robotrules_findings_free(robotrules_findings* findings) noexcept { delete findings; }

std::size_t robotrules_lint_code_count() noexcept { return robotrules::diagnostic_codes().size(); }

robotrules_status robotrules_lint_code_at(std::size_t index, robotrules_lint_code* code) noexcept {
  const auto codes = robotrules::diagnostic_codes();
  return give_row(code, &codes, index, [](const robotrules::DiagnosticCode* from) -> robotrules_lint_code {
    if (from == nullptr) return {str_of({}), str_of({}), 0, 0};
    return {str_of(from->code), str_of(from->summary), static_cast<std::int32_t>(from->severity),
            from->consequence ? 1 : 0};
  });
}

robotrules_status robotrules_fix(const char* robots, std::size_t robots_size, const char* url, std::size_t url_size,
                                 robotrules_fixed** fixed) noexcept {
  return give(fixed, is_text(robots, robots_size) && is_text(url, url_size),
              [&] { return robotrules::fix(view_of(robots, robots_size), {}, view_of(url, url_size)); });
}

robotrules_status robotrules_fixed_get_facts(const robotrules_fixed* fixed, robotrules_fixed_facts* facts) noexcept {
  if (facts == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *facts = {str_of({}), str_of({}), 0, 0, 0, 0};
  if (fixed == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  const auto& from = fixed->fixed;
  *facts = {str_of(from.text), str_of(from.diff),    from.edits,
            from.left.size(),  from.unproven.size(), from.is_fixable ? 1 : 0};
  return ROBOTRULES_OK;
}

robotrules_status robotrules_fixed_left(const robotrules_fixed* fixed, std::size_t index,
                                        robotrules_code_count* left) noexcept {
  return give_count(fixed != nullptr ? &fixed->fixed.left : nullptr, index, left);
}

robotrules_status robotrules_fixed_unproven(const robotrules_fixed* fixed, std::size_t index,
                                            robotrules_code_count* unproven) noexcept {
  return give_count(fixed != nullptr ? &fixed->fixed.unproven : nullptr, index, unproven);
}

void robotrules_fixed_free(robotrules_fixed* fixed) noexcept { delete fixed; }
