// The choices of `lint`, the findings of one file in the order in which they are shown, and the formats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "cli/flags/given.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {

struct LintChoice {
  enum class Format : std::uint8_t { text, json, sarif, github };
  Format format = Format::text;
  std::set<std::string, std::less<>> only;    // codes; empty: all
  std::set<std::string, std::less<>> ignore;  // codes
  Severity fail_on = Severity::error;
  bool notes = false;  // show notes too
  bool all = false;    // show every finding, not one for each code
  bool fix = false;
  bool write = false;
  std::set<std::string, std::less<>> fix_codes;  // fixed even if verdicts change
};

// Fails if options exclude each other, or name an unknown code.
Result<LintChoice> read_lint_choice(const Given& given);

// A finding, and the lines of further findings with the same code that are not shown themselves.
struct Shown {
  Diagnostic finding;
  std::vector<std::uint32_t> more_lines;
};

struct FileReport {
  std::string path;  // as given, without user and password; "-": standard input
  RobotsTxt file;
  std::vector<Shown> shown;
  std::array<std::size_t, 3> counts{};  // of all findings, by Severity
  std::size_t hidden_notes = 0;
};

// Returns what is shown of these findings: consequences for the whole site first, then errors, warnings and notes, each
// by line.
FileReport make_report(std::string path, const RobotsTxt& file, std::vector<Diagnostic> findings,
                       const LintChoice& choice);

void print_text(Output& out, const FileReport& report);
void print_json(Output& out, const FileReport& report);

// Prints workflow commands of GitHub: "::error file=robots.txt,line=3,col=1,title=missing-colon::...".
void print_github(Output& out, const FileReport& report);

// Prints such a command for a file that cannot be read.
void print_github_error(Output& out, std::string_view error);

// Collects the reports of all files as one SARIF 2.1.0 log.
class SarifLog {
 public:
  void add(const FileReport& report);
  std::string text() const;

 private:
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
};

// Returns the page of a code, or an empty view if there is none.
std::string_view lint_page(std::string_view code) noexcept;

}  // namespace robotrules::cli
