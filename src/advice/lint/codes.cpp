// The table of codes with their severity and their meaning in one sentence. docs/lint has a page for each code.
#include <algorithm>
#include <array>

#include "advice/lint/findings.hpp"

namespace robotrules {
namespace {

using advice::Code;

constexpr Severity error = Severity::error;
constexpr Severity warning = Severity::warning;
constexpr Severity note = Severity::note;

constexpr std::array<DiagnosticCode, advice::code_count> codes = {{
    {"empty-file", note, "the file has no directives: everything is allowed"},
    {"html-page", error, "a web page was served in place of a robots.txt"},
    {"json-file", error, "a JSON document was served in place of a robots.txt"},
    {"binary-file", error, "an image or another binary file was served in place of a robots.txt"},
    {"no-rules", note, "the file has directives but no rules: everything is allowed"},
    {"byte-order-mark", warning, "the file begins with a byte order mark, or with a part of one"},
    {"utf-16-file", error, "the file is UTF-16; robots expect UTF-8"},
    {"mixed-line-ends", note, "the lines do not all end in the same way"},
    {"file-over-limit", error, "the file is longer than 512,000 bytes; robots may not read the rest"},
    {"long-line", note, "a line is longer than 2,083 bytes"},
    {"over-long-line", warning, "a line is longer than 16,663 bytes, and Google's parser cuts it there"},
    {"invalid-utf8", warning, "bytes that are not UTF-8"},
    {"nul-octet", warning, "a NUL byte; some robots stop reading the line there"},
    {"control-octet", warning, "a control character in a line"},
    {"invisible-character", error, "a character that looks like a space or like nothing, inside a directive"},
    {"misspelt-directive", warning, "a misspelt directive that lenient robots read and strict robots ignore"},
    {"ignored-misspelling", error, "a name that looks like a directive and that robots ignore"},
    {"missing-colon", warning, "no colon after the directive's name"},
    {"malformed-line", error, "a line that is not a directive, a comment or blank"},
    {"unknown-directive", warning, "a directive that no robot is known to read"},
    {"nonstandard-directive", note, "a directive outside RFC 9309 that few robots read"},
    {"joined-lines", error, "two directives on one line"},
    {"inline-comment-cut", warning, "\"#\" inside a value cuts it off"},
    {"bad-ignore-comment", warning, "a comment that is meant to silence findings and does not"},
    {"rule-outside-group", error, "a rule before the first User-agent line"},
    {"split-group", warning, "a blank or other line between User-agent lines and their rules"},
    {"blank-line-in-group", note, "a blank line between the rules of a group"},
    {"missing-blank-line", note, "a group begins without a blank line before it"},
    {"stranded-rules", warning, "rules after a blank line that hold only for the robot of the group above"},
    {"repeated-group", warning, "several groups for one robot"},
    {"repeated-agent", note, "a robot is named twice in one group"},
    {"unmatchable-agent", error, "a User-agent value that matches no robot of RFC 9309"},
    {"agent-cut-short", warning, "only the first part of a User-agent value counts"},
    {"agent-outside-grammar", note, "a robot's name with digits or dots, which RFC 9309 does not provide for"},
    {"near-miss-agent", warning, "a User-agent value that is nearly a known robot's name, or the name of its company"},
    {"group-without-rules", warning, "a group has no rules, so its robots may fetch everything"},
    {"empty-rule", warning, "a rule without a path that has no effect here"},
    {"repeated-setting", warning, "Crawl-delay, Request-rate or Visit-time twice for the same robots"},
    {"path-without-slash", error, "a path that does not begin with \"/\" or \"*\" matches nothing"},
    {"absolute-url-rule", error, "a whole URL in place of a path"},
    {"regular-expression", error, "a regular expression in place of a path"},
    {"several-paths", error, "several paths in one rule"},
    {"unescaped-space", warning, "a space inside a path"},
    {"invalid-percent", warning, "\"%\" without two hexadecimal digits after it"},
    {"encoded-unreserved", warning, "a letter, digit, \"-\", \".\", \"_\" or \"~\" that is percent-encoded"},
    {"dot-segment", warning, "a \".\" or \"..\" segment in a path; robots request no URL that contains one"},
    {"raw-non-ascii", warning, "a byte beyond ASCII that is not percent-encoded"},
    {"html-entity", warning, "\"&amp;\" in a path, where URLs have \"&\""},
    {"double-slash", warning, "\"//\" in a path, which matches only URLs with two slashes"},
    {"dollar-inside", warning, "\"$\" before the end of a path is an ordinary character"},
    {"bare-star", warning, "\"*\" alone in place of \"/\" for the whole site"},
    {"star-at-end", note, "\"*\" at the end of a path changes nothing"},
    {"repeated-star", note, "several \"*\" in a row mean one"},
    {"duplicate-rule", note, "a rule that is repeated"},
    {"conflicting-rules", warning, "Allow and Disallow of the same path"},
    {"shadowed-rule", warning, "a rule that never decides, because another always wins"},
    {"redundant-rule", note, "a rule that makes no difference beside a wider one"},
    {"bad-crawl-delay", error, "a Crawl-delay that is not a plain number of seconds"},
    {"long-crawl-delay", note, "a Crawl-delay of more than 300 seconds"},
    {"ignored-crawl-delay", warning, "a Crawl-delay for a robot that ignores it"},
    {"bad-request-rate", warning, "a Request-rate that cannot be read"},
    {"bad-visit-time", warning, "a Visit-time that cannot be read"},
    {"bad-clean-param", error, "a Clean-param that cannot be read"},
    {"bad-content-signal", error, "a Content-Signal, or a part of one, that cannot be read"},
    {"bad-content-usage", error, "a Content-Usage, or a part of one, that cannot be read"},
    {"mixed-preference-vocabulary", error, "words of Content-Signal in Content-Usage, or the other way round"},
    {"unknown-preference", warning, "a preference that is not in the vocabulary"},
    {"bad-sitemap", error, "a Sitemap that is not one http or https URL"},
    {"relative-sitemap", warning, "a Sitemap that is not an absolute URL"},
    {"duplicate-sitemap", note, "a sitemap that is named twice"},
    {"site-closed", warning, "no robot may fetch any page of the site", true},
    {"search-closed", warning, "search engines may fetch no page of the site", true},
    {"ai-closed", note, "AI robots may fetch no page of the site", true},
    {"dropped-star-rules", warning, "a group for one robot leaves out the rules for all robots", true},
    {"assets-closed", warning, "Googlebot may not fetch CSS or JavaScript, and cannot render the pages", true},
    {"sitemap-closed", warning, "the file names a sitemap and forbids robots to fetch it", true},
    {"file-unavailable", warning, "the server has no robots.txt for robots: everything is allowed", true},
    {"file-unreachable", error, "the server fails to answer: robots stay away from the site", true},
    {"wrong-content-type", warning, "the file is not served as text/plain"},
    {"redirected-file", note, "the robots.txt is at another URL"},
    {"long-cache-time", note, "caches may keep the file for more than a day"},
    {"more-findings", note, "further findings of one code that are not listed"},
}};

// Enumerators and table rows have the same order. These checks find a shift.
static_assert(codes[static_cast<std::size_t>(Code::empty_file)].code == "empty-file");
static_assert(codes[static_cast<std::size_t>(Code::rule_outside_group)].code == "rule-outside-group");
static_assert(codes[static_cast<std::size_t>(Code::duplicate_rule)].code == "duplicate-rule");
static_assert(codes[static_cast<std::size_t>(Code::site_closed)].code == "site-closed");
static_assert(codes[static_cast<std::size_t>(Code::more_findings)].code == "more-findings");

}  // namespace

std::string_view to_string(Severity severity) noexcept {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: break;
  }
  return "note";
}

std::span<const DiagnosticCode> diagnostic_codes() noexcept { return codes; }

const DiagnosticCode* find_diagnostic_code(std::string_view code) noexcept {
  const auto row = std::ranges::find(codes, code, &DiagnosticCode::code);
  return row == codes.end() ? nullptr : &*row;
}

}  // namespace robotrules
