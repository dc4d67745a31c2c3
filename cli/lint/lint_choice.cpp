#include "cli/lint/report.hpp"

#include <algorithm>
#include <vector>

#include "base/escape.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

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

std::string unknown_code(std::string_view name) {
  std::vector<std::string_view> names;
  for (const DiagnosticCode& code : diagnostic_codes()) names.push_back(code.code);
  const auto begins = std::ranges::find_if(names, [&](auto known) { return !name.empty() && known.starts_with(name); });
  const std::string_view near = begins == names.end() ? nearest(name, names) : *begins;
  return "no finding has the code \"" + base::printable(name) + "\"; " +
         (near.empty() ? "robotrules lint --explain codes lists them" : "did you mean " + std::string(near) + "?");
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
