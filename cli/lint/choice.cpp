#include "cli/lint/choice.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

using Codes = std::set<std::string, std::less<>>;

// Reads "CODE,CODE". Returns false and sets `error` if one of them is unknown.
bool read_codes(std::string_view list, Codes& codes, std::string& error) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view name = base::trimmed(list.substr(begin, end - begin));
    begin = end + 1;
    if (name.empty()) continue;
    if (find_code(name, error) == nullptr) return false;
    codes.emplace(name);
  }
  return true;
}

bool read_codes(const std::vector<std::string>& lists, Codes& codes, std::string& error) {
  return std::all_of(lists.begin(), lists.end(), [&](const auto& list) { return read_codes(list, codes, error); });
}

// Returns the index of `value` in `names`, or sets `error`.
template <std::size_t N>
std::size_t index_of(std::string_view flag, std::string_view value, const std::array<std::string_view, N>& names,
                     std::string& error) {
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) {
    error = std::string(flag) + " does not accept \"" + base::printable(value) + "\"; give one of ";
    for (std::size_t i = 0; i < N; ++i) error.append(i == 0 ? "" : ", ").append(names[i]);
  }
  return static_cast<std::size_t>(found - names.begin());
}

void read_format(const Options& options, LintChoice& choice, std::string& error) {
  constexpr std::array<std::string_view, 4> formats = {"text", "json", "sarif", "github"};
  if (options.format) {
    choice.format = static_cast<LintChoice::Format>(index_of("--format", *options.format, formats, error));
    if (options.json && choice.format != LintChoice::Format::json) error = "give --json or --format, not both";
  } else if (options.json) {
    choice.format = LintChoice::Format::json;
  }
}

void read_fix(const Options& options, LintChoice& choice, std::string& error) {
  choice.write = options.write;
  if (!options.fix) {
    if (options.write) error = "--write needs --fix; give both to change the files";
    return;
  }
  choice.fix = true;
  if (*options.fix != "true") read_codes(*options.fix, choice.fix_codes, error);  // "true": no code was given
}

}  // namespace

const DiagnosticCode* find_code(std::string_view name, std::string& error) {
  std::vector<std::string_view> names;
  for (const DiagnosticCode& code : diagnostic_codes()) {
    if (code.code == name) return &code;
    names.push_back(code.code);
  }
  error = "no finding has the code \"" + base::printable(name) + "\"";
  const std::string_view near = nearest(name, names);
  error += near.empty() ? "; docs/lint lists the codes" : "; did you mean " + std::string(near) + "?";
  return nullptr;
}

std::optional<LintChoice> lint_choice(const Options& options, std::string& error) {
  LintChoice choice;
  choice.notes = options.notes;
  choice.all = options.all;
  if (!read_codes(options.only, choice.only, error) || !read_codes(options.ignore, choice.ignore, error)) return {};
  read_format(options, choice, error);
  if (error.empty()) read_fix(options, choice, error);
  if (error.empty() && options.lint_fail_on) {
    constexpr std::array<std::string_view, 3> severities = {"error", "warning", "note"};
    choice.fail_on = static_cast<Severity>(index_of("--fail-on", *options.lint_fail_on, severities, error));
    choice.notes = choice.notes || choice.fail_on == Severity::note;
  }
  if (!error.empty()) return {};
  return choice;
}

}  // namespace robotrules::cli
