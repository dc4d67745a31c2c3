// lint: finds mistakes and oddities in a robots.txt.
#pragma once

#include <vector>

#include <robotrules/diagnose.hpp>

namespace robotrules::advice {

// Facts about the file that its document does not contain.
struct FileFacts {
  bool utf16 = false;  // the file was UTF-16; text() is the converted text
};

// Returns all findings, ordered by line and column. For each code, only the first 1,000 are listed, and "more-findings"
// tells the number of the others. The time is nearly linear in the size of the file: comparing rules with wildcards has
// a budget, and pairs beyond it are not compared. Reads `file` only through its public functions.
std::vector<Diagnostic> lint(const RobotsTxt& file, const LintOptions& options = {}, FileFacts facts = {});

}  // namespace robotrules::advice
