// The choices of `lint`: what is shown, in which format, and what counts as failure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "cli/flags/flags.hpp"

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

// Returns the choices, or null and a sentence in `error`.
std::optional<LintChoice> lint_choice(const Options& options, std::string& error);

// Returns the row of a code, or null and a sentence in `error`, which proposes a similar code.
const DiagnosticCode* find_code(std::string_view name, std::string& error);

}  // namespace robotrules::cli
