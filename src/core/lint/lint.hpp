// lint: what is odd in a robots.txt, as diagnostics.
#pragma once

#include <vector>

#include <robotrules/robots_txt.hpp>

namespace robotrules::core {

// What cannot be seen in the document any more.
struct FileFacts {
  bool utf16 = false;  // the file was UTF-16; text() is its transcoding
};

// Every finding, ordered by line and column; of one code the first 1,000 and then their number ("more-findings").
// Time is near linear in the file: comparing rules with wildcards has a budget, and what lies beyond it is not
// reported. Reads `file` only through its public functions.
std::vector<Diagnostic> lint(const RobotsTxt& file, FileFacts facts = {});

}  // namespace robotrules::core
