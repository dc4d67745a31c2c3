// Applies the edits of findings.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robots_txt.hpp>

#include "cli/lint/choice.hpp"

namespace robotrules::cli {

// Numbers of findings by code.
using CodeCounts = std::map<std::string_view, std::size_t>;

struct Fixed {
  std::string text;  // the file afterwards
  std::string diff;  // unified diff; empty: nothing was changed
  std::size_t edits = 0;
  CodeCounts left;      // findings whose edits were left out, because they would change a verdict
  CodeCounts unproven;  // findings whose edits were left out, because the proof would take too long
};

// Applies the edits of all findings that `lint` returns for a file and that `choice` does not leave out. Edits are
// applied only while compare() proves that no robot's access, delay or sitemap changes, in the dialects rfc9309 and
// google, and no other setting. The work for this proof is limited, by counts and not by time. Edits of
// choice.fix_codes are applied always. Fixing goes on while edits lead to new findings.
using Linter = std::function<std::vector<Diagnostic>(const RobotsTxt&)>;
Fixed fix(std::string_view text, std::string_view name, std::string_view url, const LintChoice& choice,
          const Linter& lint);

}  // namespace robotrules::cli
