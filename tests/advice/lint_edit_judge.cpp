#include "advice/lint_edit_judge.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <robotrules/compare.hpp>

#include "advice/lint/findings.hpp"

namespace robotrules::test {

RobotsTxt edited(const RobotsTxt& file, std::span<const LineEdit> edits) {
  return RobotsTxt::parse(with_edits(file.text(), edits), file.dialect(), file.url());
}

namespace {

const std::set<std::string_view> same = {"byte-order-mark",
                                         "misspelt-directive",
                                         "missing-colon",
                                         "split-group",
                                         "blank-line-in-group",
                                         "missing-blank-line",
                                         "repeated-agent",
                                         "empty-rule",
                                         "star-at-end",
                                         "repeated-star",
                                         "duplicate-rule",
                                         "redundant-rule",
                                         "raw-non-ascii",
                                         "encoded-unreserved",
                                         "agent-cut-short",
                                         "duplicate-sitemap",
                                         "mixed-preference-vocabulary"};

// Codes whose remedy quotes the new path.
const std::set<std::string_view> quotes_path = {
    "path-without-slash", "absolute-url-rule", "regular-expression", "html-entity",   "double-slash",
    "bare-star",          "star-at-end",       "repeated-star",      "raw-non-ascii", "unescaped-space"};

// Google's parser compares escapes of unreserved characters as they are written.
constexpr std::string_view decoded_by_rfc9309 = "encoded-unreserved";

std::vector<Directive> directives_in(const RobotsTxt& file, std::uint32_t first, std::uint32_t last) {
  std::vector<Directive> found;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive directive = file.directive(i);
    if (directive.line >= first && directive.line <= last) found.push_back(directive);
  }
  return found;
}

bool is_rule(const Directive& directive) {
  return directive.kind == DirectiveKind::allow || directive.kind == DirectiveKind::disallow;
}

std::string shown(const Difference& difference) {
  const std::string text = std::to_string(difference.robots.size()) + " robots change";
  for (const RobotChange& robot : difference.robots) {
    for (const PathChange& change : robot.changes) {
      return text + ": " + change.path + " before by line " + std::to_string(change.before.line) + ", now by line " +
             std::to_string(change.after.line);
    }
  }
  return text + ", " + std::to_string(difference.added_sitemaps.size() + difference.removed_sitemaps.size()) +
         " sitemaps";
}

std::string wrong_for_google(const RobotsTxt& file, std::span<const LineEdit> edits) {
  const RobotsTxt before = RobotsTxt::parse(file.text(), Dialect::google(), file.url());
  const Difference difference = compare(before, edited(before, edits));
  if (!difference.limits.empty()) return "is not compared completely: " + difference.limits.front();
  return difference.same() ? "" : "changes verdicts of Google's parser: " + shown(difference);
}

// Every change must be decided by the line before or by the lines that replace it.
std::string wrong_with_rules(const Difference& difference, const LineEdit& edit) {
  if (!difference.added_sitemaps.empty() || !difference.removed_sitemaps.empty()) return "changes sitemaps";
  const std::uint32_t last = edit.line + static_cast<std::uint32_t>(edit.lines.size()) - 1;
  for (const RobotChange& robot : difference.robots) {
    if (robot.delay_before != robot.delay_after) return "changes a delay";
    for (const PathChange& change : robot.changes) {
      const bool own = change.before.line == edit.line || (change.after.line >= edit.line && change.after.line <= last);
      if (!own) return "changes what other lines decide: " + shown(difference);
    }
  }
  return {};
}

// A robot that may fetch something must not lose the whole site.
std::string wrong_with_reach(const RobotsTxt& before, const RobotsTxt& after, const Difference& difference) {
  RobotSurvey old_survey(before), new_survey(after);
  for (const RobotChange& robot : difference.robots) {
    for (const std::string& agent : robot.agents) {
      if (new_survey.reach_of(agent) == Reach::nowhere && old_survey.reach_of(agent) != Reach::nowhere) {
        return "closes the site for " + agent;
      }
    }
    if (!robot.others) continue;
    const std::string_view other = "zzz-no-such-robot";
    if (new_survey.reach_of(other) == Reach::nowhere && old_survey.reach_of(other) != Reach::nowhere) {
      return "closes the site";
    }
  }
  return {};
}

}  // namespace

bool keeps_verdicts(std::string_view code) { return same.contains(code); }

std::string wrong_with_edits(const RobotsTxt& file, const Diagnostic& finding) {
  const RobotsTxt after = edited(file, finding.edits);
  const Difference difference = compare(file, after);
  if (!difference.limits.empty()) return "is not compared completely: " + difference.limits.front();
  if (keeps_verdicts(finding.code)) {
    if (!difference.same()) return "changes verdicts: " + shown(difference);
    return finding.code == decoded_by_rfc9309 ? "" : wrong_for_google(file, finding.edits);
  }

  if (finding.edits.size() != 1) return "has several edits";
  if (finding.edits.front().lines.empty()) {  // another line does what is meant
    return difference.same() ? wrong_for_google(file, finding.edits) : "changes verdicts: " + shown(difference);
  }
  const LineEdit& edit = finding.edits.front();
  if (edit.line != finding.line) return "edits another line";
  const std::uint32_t last = edit.line + static_cast<std::uint32_t>(edit.lines.size()) - 1;
  const std::vector<Directive> old_lines = directives_in(file, edit.line, edit.line);
  const std::vector<Directive> new_lines = directives_in(after, edit.line, last);
  for (const Diagnostic& still : diagnose(after)) {
    if (still.code == finding.code && still.line >= edit.line && still.line <= last) return "leaves the mistake";
  }
  if (finding.code == "bad-sitemap" || finding.code == "relative-sitemap") {
    return difference.robots.empty() ? "" : "changes robots";
  }
  if (quotes_path.contains(finding.code)) {
    if (new_lines.size() != 1) return "does not write one line";
    const std::string path = advice::quoted(new_lines.front().value);
    if (finding.remedy.find(path) == std::string::npos) return "the remedy does not name " + path;
  }
  const bool rules = !old_lines.empty() && std::all_of(old_lines.begin(), old_lines.end(), is_rule) &&
                     std::all_of(new_lines.begin(), new_lines.end(), is_rule);
  if (!rules) return {};  // names of directives and robots: the group of many lines may change
  std::string wrong = wrong_with_rules(difference, edit);
  if (wrong.empty() && finding.code != "bare-star") wrong = wrong_with_reach(file, after, difference);
  return wrong;
}

}  // namespace robotrules::test
