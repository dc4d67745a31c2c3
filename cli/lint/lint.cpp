// robotrules lint: mistakes in a robots.txt.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <robotrules/crawlers.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "base/escape.hpp"
#include "base/userinfo.hpp"
#include "cli/io/input.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/lint/report.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "lint";

// Returns "no finding has the code "typo"; did you mean ...?"
std::string unknown_code(std::string_view name) {
  std::vector<std::string_view> names;
  for (const DiagnosticCode& code : diagnostic_codes()) names.push_back(code.code);
  const auto begins = std::ranges::find_if(names, [&](auto known) { return !name.empty() && known.starts_with(name); });
  const std::string_view near = begins == names.end() ? nearest(name, names) : *begins;
  return "no finding has the code \"" + base::printable(name) + "\"; " +
         (near.empty() ? "robotrules lint --explain codes lists them" : "did you mean " + std::string(near) + "?");
}

// `list`: "CODE", "CODE,CODE", or "codes" for a line about each code.
int explain(std::string_view list) {
  if (list == "codes") {
    std::string lines;
    for (const DiagnosticCode& code : diagnostic_codes()) {
      lines.append(code.code).append("\t").append(to_string(code.severity)).append("\t").append(code.summary) += '\n';
    }
    write_all(STDOUT_FILENO, lines);
    return exit_yes;
  }
  std::vector<std::string_view> codes = comma_parts(list);
  if (codes.empty()) codes.push_back(list);
  std::string pages;
  for (const std::string_view code : codes) {
    if (find_diagnostic_code(code) == nullptr) {
      report_error(command, unknown_code(code));
      return exit_error;
    }
    pages.append(pages.empty() ? "" : "\n").append(lint_page(code));
  }
  write_all(STDOUT_FILENO, pages);
  return exit_yes;
}

class Lint {
 public:
  Lint(NetworkOptions network, LintChoice choice)
      : choice_(std::move(choice)), sources_(std::move(network), command, Sources::Excess::seen) {
    lint_options_.robots = known_robots();
  }

  void check(const std::string& path) {
    if (path == "-" && standard_input_read_) return fail("standard input can be read only once; give \"-\" once");
    standard_input_read_ = standard_input_read_ || path == "-";
    const SourceBytes source = sources_.read_answer(path);
    if (!source.ok()) return fail(source.error);
    ++files_;
    lint_options_.fetched = source.response;
    const RobotsTxt file = RobotsTxt::parse(source.bytes, Dialect::rfc9309(), source.url);
    choice_.fix ? fix_file(path, source, file) : report(path, file);
  }

  int finish() {
    if (choice_.format == LintChoice::Format::sarif) out_ << sarif_.text();
    out_.flush();
    if (files_ > 0) complain(command, summary());
    if (input_error_) return exit_error;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(choice_.fail_on); ++i) {
      if (counts_[i] > 0) return exit_no;
    }
    return exit_yes;
  }

 private:
  void fail(std::string_view error) {
    if (choice_.format == LintChoice::Format::github) print_github_error(out_, error);
    out_.flush();
    report_error(command, error);
    input_error_ = true;
  }

  using Counts = std::array<std::size_t, 3>;  // by Severity

  static void add(const Counts& counts, Counts& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += counts[i];
  }

  static void add(const CodeCounts& counts, CodeCounts& to) {
    for (const auto& [code, count] : counts) to[code] += count;
  }

  void count(const FileReport& report) {
    add(report.counts, counts_);
    hidden_notes_ += report.hidden_notes;
  }

  void report(const std::string& path, const RobotsTxt& file) {
    const FileReport report = make_report(base::without_userinfo(path), file, diagnose(file, lint_options_), choice_);
    count(report);
    switch (choice_.format) {
      case LintChoice::Format::text: return print_text(out_, report);
      case LintChoice::Format::json: return print_json(out_, report);
      case LintChoice::Format::github: return print_github(out_, report);
      case LintChoice::Format::sarif: return sarif_.add(report);
    }
  }

  void fix_file(const std::string& path, const SourceBytes& source, const RobotsTxt& file) {
    const std::string name = printable_url(path);
    const FixOptions fix_options{.only = choice_.only,
                                 .ignore = choice_.ignore,
                                 .fix_codes = choice_.fix_codes,
                                 .lint = lint_options_,
                                 .name = name};
    const Fixed fixed = fix(source.bytes, fix_options, source.url);
    if (!fixed.is_fixable) {
      return fail(name + " is not fixed, because it is UTF-16 or too long; save it as UTF-8 and shorten it");
    }
    add(fixed.left, left_);
    add(fixed.unproven, unproven_);
    out_ << painted_diff(results_paint(), fixed.diff);
    const auto report_of = [&](const RobotsTxt& read) {
      return make_report(path, read, diagnose(read, lint_options_), choice_);
    };
    if (choice_.write && fixed.edits > 0) {
      out_.flush();
      if (const std::string error = write_to(path, source, fixed.text); !error.empty()) {
        count(report_of(file));
        return fail(name + error);
      }
    }
    edits_ += fixed.edits;
    const RobotsTxt now = RobotsTxt::parse(fixed.text, Dialect::rfc9309(), source.url);
    const FileReport after = report_of(now);
    add(after.counts, counts_after_);
    count(choice_.write ? after : report_of(file));
  }

  // Returns the end of a sentence if the file cannot be changed, else an empty string.
  static std::string write_to(const std::string& path, const SourceBytes& source, const std::string& text) {
    if (!source.url.empty() || path == "-") return " is not a file; give the path of a file to --write";
    const std::string error = replace_file(path, text);
    return error.empty() ? error : " cannot be written: " + error;
  }

  static std::string words(const Counts& counts) {
    const auto found = [&counts](Severity severity, std::string_view name, Style style) {
      const std::size_t count = counts[static_cast<std::size_t>(severity)];
      return count > 0 ? messages_paint()(style, counted(count, name)) : counted(count, name);
    };
    return found(Severity::error, "error", Style::bad) + ", " + found(Severity::warning, "warning", Style::mixed) +
           ", " + found(Severity::note, "note", Style::note);
  }

  // "; 2 findings are not fixed, because ... (--fix=CODE fixes them all the same)"
  std::string not_fixed(const CodeCounts& counts, std::string_view because) const {
    if (counts.empty()) return {};
    std::size_t sum = 0;
    std::set<std::string_view> codes(choice_.fix_codes.begin(), choice_.fix_codes.end());
    for (const auto& [code, count] : counts) {
      sum += count;
      codes.insert(code);
    }
    std::string named;
    for (const std::string_view code : codes) named.append(named.empty() ? "" : ",").append(code);
    return "; " + counted(sum, "finding") + (sum == 1 ? " is" : " are") + " not fixed, because " +
           std::string(because) + " (--fix=" + named + " fixes " + (sum == 1 ? "it" : "them") + " all the same)";
  }

  std::string summary() const {
    std::string text = counted(files_, "file") + ": " + words(counts_);
    if (hidden_notes_ > 0) text += " (--notes shows " + std::string(hidden_notes_ == 1 ? "it" : "them") + ")";
    if (!choice_.fix) return text;
    text += (choice_.write || edits_ > 0 ? "; after " : "; ") + counted(edits_, "changed line");
    if (!choice_.write && edits_ > 0) text += " (--fix --write writes them): " + words(counts_after_);
    return text + not_fixed(left_, "that would change what robots may fetch") +
           not_fixed(unproven_, "it would take too long to prove that the fix is safe");
  }

  LintChoice choice_;
  LintOptions lint_options_;
  Sources sources_;
  Output out_;
  SarifLog sarif_;
  Counts counts_{};
  Counts counts_after_{};  // with the changes that --fix shows
  std::size_t hidden_notes_ = 0;
  std::size_t files_ = 0;
  std::size_t edits_ = 0;
  CodeCounts left_;  // as in Fixed
  CodeCounts unproven_;
  bool input_error_ = false;
  bool standard_input_read_ = false;
};

using Codes = std::set<std::string, std::less<>>;

Error conflict(std::string sentence) { return {"invalid-option", std::move(sentence)}; }

Result<void> read_codes(const std::vector<std::string>& lists, Codes& codes) {
  for (const std::string& list : lists) {
    for (const std::string_view name : comma_parts(list)) {
      if (find_diagnostic_code(name) == nullptr) return Error{"unknown-code", unknown_code(name)};
      codes.emplace(name);
    }
  }
  return {};
}

LintChoice::Format format_of(std::string_view name) {
  if (name == "json") return LintChoice::Format::json;
  if (name == "sarif") return LintChoice::Format::sarif;
  return name == "github" ? LintChoice::Format::github : LintChoice::Format::text;
}

Severity severity_of(std::string_view name) {
  for (const Severity severity : {Severity::warning, Severity::note}) {
    if (to_string(severity) == name) return severity;
  }
  return Severity::error;
}

Result<void> read_fix(const Given& given, LintChoice& choice) {
  choice.write = given.has("write");
  choice.fix = given.has("fix");
  if (!choice.fix)
    return choice.write ? conflict("--write needs --fix; give both to change the files") : Result<void>();
  if (choice.format != LintChoice::Format::text) {
    return conflict("--fix prints a diff; leave out " + std::string(given.has("json") ? "--json" : "--format") +
                    ", or leave out --fix to print the findings");
  }
  return given.text("fix") == "true" ? Result<void>() : read_codes(given.all("fix"), choice.fix_codes);
}

}  // namespace

int run_lint(const Given& given) {
  auto network = read_network(given);
  if (!network) return refuse(command, network.error().message);
  if (const auto codes = given.text("explain")) return explain(*codes);
  auto choice = read_lint_choice(given);
  if (!choice) return refuse(command, choice.error().message);
  if (given.operands.empty()) {
    return refuse(command, "no FILE|URL was given; write: " + usage_line(given.command()));
  }
  Lint lint(std::move(network).value(), std::move(choice).value());
  for (const std::string& path : given.operands) lint.check(path);
  return lint.finish();
}

Result<LintChoice> read_lint_choice(const Given& given) {
  LintChoice choice;
  if (auto read = read_codes(given.all("only"), choice.only); !read) return read.error();
  if (auto read = read_codes(given.all("ignore"), choice.ignore); !read) return read.error();
  choice.all = given.has("all");
  choice.format = format_of(given.text("format", given.has("json") ? "json" : "text"));
  choice.fail_on = severity_of(given.text("fail-on", "error"));
  choice.notes = given.has("notes") || choice.fail_on == Severity::note;
  if (given.has("json") && choice.format != LintChoice::Format::json) {
    return conflict("give --json or --format, not both");
  }
  if (auto read = read_fix(given, choice); !read) return read.error();
  return choice;
}

}  // namespace robotrules::cli
