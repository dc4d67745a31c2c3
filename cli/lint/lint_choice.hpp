// The choices of `lint`: what is shown, in which format, and what counts as failure.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "cli/flags/given.hpp"

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

// Returns "no finding has the code "typo"; did you mean ...?"
std::string unknown_code(std::string_view name);

}  // namespace robotrules::cli
