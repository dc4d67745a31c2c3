#include "cli/lint/lint_choice.hpp"

#include <algorithm>
#include <vector>

#include "base/escape.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

using Codes = std::set<std::string, std::less<>>;

// Reads "CODE,CODE". Returns false and sets `error` if one of them is unknown.
bool read_codes(std::string_view list, Codes& codes, std::string& error) {
  for (const std::string_view name : comma_parts(list)) {
    if (find_code(name, error) == nullptr) return false;
    codes.emplace(name);
  }
  return true;
}

bool read_codes(const std::vector<std::string>& lists, Codes& codes, std::string& error) {
  return std::all_of(lists.begin(), lists.end(), [&](const auto& list) { return read_codes(list, codes, error); });
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

void read_words(const Options& options, LintChoice& choice, std::string& error) {
  ValueReader read(options);
  choice.format = format_of(read.choice(&Options::format, options.json ? "json" : "text"));
  choice.fail_on = severity_of(read.choice(&Options::lint_fail_on, "error"));
  choice.notes = choice.notes || choice.fail_on == Severity::note;
  if (read.error()) {
    error = read.error()->message;
  } else if (options.json && choice.format != LintChoice::Format::json) {
    error = "give --json or --format, not both";
  }
}

void read_fix(const Options& options, LintChoice& choice, std::string& error) {
  choice.write = options.write;
  if (!options.fix) {
    if (options.write) error = "--write needs --fix; give both to change the files";
    return;
  }
  choice.fix = true;
  if (choice.format != LintChoice::Format::text) {
    error = "--fix prints a diff; leave out " + std::string(options.json ? "--json" : "--format") +
            ", or leave out --fix to print the findings";
    return;
  }
  if (*options.fix != "true") read_codes(*options.fix, choice.fix_codes, error);  // "true": no code was given
}

}  // namespace

const DiagnosticCode* find_code(std::string_view name, std::string& error) {
  if (const DiagnosticCode* code = find_diagnostic_code(name); code != nullptr) return code;
  std::vector<std::string_view> names;
  for (const DiagnosticCode& code : diagnostic_codes()) names.push_back(code.code);
  error = "no finding has the code \"" + base::printable(name) + "\"";
  const auto begins = std::ranges::find_if(names, [&](auto known) { return !name.empty() && known.starts_with(name); });
  const std::string_view near = begins == names.end() ? nearest(name, names) : *begins;
  error += near.empty() ? "; robotrules lint --explain codes lists them" : "; did you mean " + std::string(near) + "?";
  return nullptr;
}

std::optional<LintChoice> lint_choice(const Options& options, std::string& error) {
  LintChoice choice;
  choice.notes = options.notes;
  choice.all = options.all;
  if (!read_codes(options.only, choice.only, error) || !read_codes(options.ignore, choice.ignore, error)) return {};
  read_words(options, choice, error);
  if (error.empty()) read_fix(options, choice, error);
  if (!error.empty()) return {};
  return choice;
}

}  // namespace robotrules::cli
