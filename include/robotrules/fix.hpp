// fix(): corrects a robots.txt without changing what it means to robots.
//
//     const robotrules::Fixed fixed = robotrules::fix(body);
//     std::cout << fixed.diff;  // the lines that were changed
//     for (const auto& [code, count] : fixed.left) std::cout << count << " times: a person must fix " << code << '\n';
//     if (fixed.edits > 0) save(fixed.text);
//
// Method: fix() takes the edits of the findings (Diagnostic::edits). It applies an edit only if compare() proves that
// the access, the delay and the sitemaps of all robots stay the same, in the dialects rfc9309 and google, and that the
// settings that compare() leaves out stay the same too. An edit may lead to new findings, which are fixed as well.
//
// Thread rule: fix() is pure. Any number of threads may call it.
// Errors: none. If the proof for an edit would take too long, the edit is left out, and the result says so. This limit
// is on counts and not on time, so a file always gives the same result. Only std::bad_alloc is thrown.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <robotrules/diagnose.hpp>
#include <robotrules/export.hpp>

namespace robotrules {

// The findings to fix, by their codes (diagnostic_codes()).
struct FixOptions {
  std::set<std::string, std::less<>> only{};       // fix only these; empty: all
  std::set<std::string, std::less<>> ignore{};     // never fix these
  std::set<std::string, std::less<>> fix_codes{};  // fix these too, even if that changes what robots may fetch
  LintOptions lint{};                              // facts for the findings
  std::string name = "robots.txt";                 // of the file in the diff
};

// Numbers of findings by code. The views are of literals and are always valid.
using CodeCounts = std::map<std::string_view, std::size_t>;

// The result of fix().
struct Fixed {
  std::string text;  // the corrected file
  // The changes in the unified format of diff and patch, with three lines of context. Bytes that are not printable are
  // escaped. Empty: nothing was changed.
  std::string diff;
  std::size_t edits = 0;  // changed lines
  CodeCounts left;        // findings whose edits were left out, because they would change what robots may fetch
  CodeCounts unproven;    // findings whose edits were left out, because the proof would take too long
  // False: `robots` is UTF-16, or longer than the dialect rfc9309 reads. Then nothing was changed.
  bool is_fixable = true;
};

// Returns the file `robots` after all edits that change nothing for any robot. `url` is the URL of the file.
ROBOTRULES_API Fixed fix(std::string_view robots, const FixOptions& options = {}, std::string_view url = {});

}  // namespace robotrules
