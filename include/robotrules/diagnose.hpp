// The faults and oddities of a robots.txt, each with its place, its remedy and the edits that the remedy asks for.
//
//     const auto file = robotrules::RobotsTxt::parse(body);
//     for (const auto& found : robotrules::diagnose(file)) std::cout << found.line << ": " << found.message << '\n';
//     if (const auto* code = robotrules::find_diagnostic_code("missing-colon")) std::cout << code->summary << '\n';
//     const robotrules::Fixed fixed = robotrules::fix(body);
//     if (fixed.edits > 0) save(fixed.text);  // what could be corrected without changing what robots may fetch
//
// Thread rule: the functions are pure. Any number of threads may call them, also for one file.
// Errors: none. If fix() would need too long to prove that an edit changes nothing, it leaves the
// edit out, and its result says so. This limit is on counts and not on time. Only std::bad_alloc is thrown.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>

namespace robotrules {

// --- Diagnostic: one fault or oddity, with its place and its remedy ------------------------------------------------
enum class Severity : std::uint8_t {
  error,    // robots will not do what the line seems to ask
  warning,  // robots disagree about the line, or it has no effect
  note,     // unusual and harmless
};
ROBOTRULES_API std::string_view to_string(Severity severity) noexcept;

// A change of one line.
struct LineEdit {
  std::uint32_t line = 0;          // counted from 1
  std::vector<std::string> lines;  // the lines that replace it, without line ends; empty: the line is deleted
  friend bool operator==(const LineEdit&, const LineEdit&) = default;
};

// Returns `text` after the edits. A new line gets the line end of the line that it replaces. If several edits have the
// same line, the first one counts. Edits of lines that `text` does not have are ignored.
//
// Edits of several findings may meet, and some remedies change what robots may fetch. fix() applies those
// that change nothing. To apply another one, ask compare() whether its effect is wanted.
ROBOTRULES_API std::string with_edits(std::string_view text, std::span<const LineEdit> edits);

// One finding. Lines and columns are counted from 1; line 0 means the whole file.
struct Diagnostic {
  std::string_view code;  // stable, such as "missing-colon", which docs/lint/missing-colon.md explains
  Severity severity = Severity::note;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;  // a sentence that quotes the fragment, escaped and cut at 80 bytes
  std::string remedy;   // what to write instead
  // The changes of RobotsTxt::text() that the remedy asks for. Empty if a person must decide what to write.
  std::vector<LineEdit> edits{};
};

// A diagnostic's code with its severity and a summary in one line.
struct DiagnosticCode {
  std::string_view code;
  Severity severity;  // of its findings; those that do no harm may be milder
  std::string_view summary;
  bool consequence = false;  // true: it says what the whole file does to robots, not what is wrong with one line
};

// Returns all codes. The span is always valid.
ROBOTRULES_API std::span<const DiagnosticCode> diagnostic_codes() noexcept;

// Returns the row of a code, or null if there is none. The row is always valid.
ROBOTRULES_API const DiagnosticCode* find_diagnostic_code(std::string_view code) noexcept;

// --- diagnose ------------------------------------------------------------------------------------------------------

// A robot that the diagnostics know by name.
struct KnownRobot {
  enum class Kind : std::uint8_t { search, ai, other };
  std::string name;  // as User-agent lines write it
  Kind kind = Kind::other;
  AgentTokens agent{};  // the groups that it obeys; no tokens: those for `name`
};

// The response that contained the file.
struct FetchFacts {
  int status = 200;            // after all redirects
  std::string content_type{};  // the field as received; empty: there is none
  std::size_t redirects = 0;
  std::optional<std::chrono::seconds> max_age{};  // time that a cache may keep the response; null: not stated
  // Why the answer has no file although its status does not say so (RobotsResult::reason), and what it counts as.
  std::string fault{};
  RobotsOutcome outcome = RobotsOutcome::rules;
};

// Facts for diagnose() that the file does not contain.
struct LintOptions {
  std::vector<KnownRobot> robots{};     // for findings about search engines, AI robots and misspelt names of robots
  std::optional<FetchFacts> fetched{};  // null: the file was not fetched
};

// Returns the faults and oddities of the file, ordered by line and column. They are computed at each call. Nothing is
// printed. A comment "# robotrules: ignore CODE" silences findings about its line, or about the next line if it is
// alone on its line. "# robotrules: ignore-file CODE" silences findings about the whole file.
ROBOTRULES_API std::vector<Diagnostic> diagnose(const RobotsTxt& file, const LintOptions& options = {});

// --- fix -------------------------------------------------------------------------------------------------------------

// fix() takes the edits of the findings (Diagnostic::edits). It applies an edit only if compare() proves that the
// access, the delay and the sitemaps of all robots stay the same, in the dialects rfc9309 and google, and that the
// settings that compare() leaves out stay the same too. An edit may lead to new findings, which are fixed as well.

// The findings to fix, by their codes (diagnostic_codes()).
struct FixOptions {
  std::set<std::string, std::less<>> only{};       // fix only these; empty: all
  std::set<std::string, std::less<>> ignore{};     // never fix these
  std::set<std::string, std::less<>> fix_codes{};  // fix these too, even if that changes what robots may fetch
  LintOptions lint{};                              // facts for the findings
  std::string name = "robots.txt";                 // of the file in the diff
};

// Numbers of findings by code. The views are of literals and are always valid.
using CodeCounts = std::map<std::string_view, std::size_t>;

// The result of fix().
struct Fixed {
  std::string text;  // the corrected file
  // The changes in the unified format of diff and patch, with three lines of context. Bytes that are not printable are
  // escaped. Empty: nothing was changed.
  std::string diff;
  std::size_t edits = 0;  // changed lines
  CodeCounts left;        // findings whose edits were left out, because they would change what robots may fetch
  CodeCounts unproven;    // findings whose edits were left out, because the proof would take too long
  // False: `robots` is UTF-16, or longer than the dialect rfc9309 reads. Then nothing was changed.
  bool is_fixable = true;
};

// Returns the file `robots` after all edits that change nothing for any robot. `url` is the URL of the file.
ROBOTRULES_API Fixed fix(std::string_view robots, const FixOptions& options = {}, std::string_view url = {});

}  // namespace robotrules
