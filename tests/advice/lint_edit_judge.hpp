// Judges the edits of findings: does the file say afterwards what the remedy says, and nothing else?
#pragma once

#include <string>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

namespace robotrules::test {

// Returns what is wrong with the edits of `finding` in `file`, or "" if they do what the remedy says. Precondition: it
// has edits.
std::string wrong_with_edits(const RobotsTxt& file, const Diagnostic& finding);

// Returns true for codes whose edits must not change any verdict.
bool keeps_verdicts(std::string_view code);

// Returns the file after the edits.
RobotsTxt edited(const RobotsTxt& file, std::span<const LineEdit> edits);

}  // namespace robotrules::test
