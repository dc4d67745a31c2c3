// The families of checks. Each reads its input and adds to Findings. No family depends on another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/diagnose.hpp>

#include "advice/compare/pattern_cover.hpp"
#include "advice/lint/findings.hpp"
#include "advice/lint/repairs.hpp"
#include "advice/lint/run_checks.hpp"
#include "core/line/lexer.hpp"

namespace robotrules::advice {

// Returns true if an answer with that status to /robots.txt contains the whole file. A 206 contains a part.
constexpr bool answers_file(int status) noexcept { return status >= 200 && status < 300 && status != 206; }
inline bool has_file(const FetchFacts& fetched) noexcept {
  return fetched.fault.empty() && answers_file(fetched.status);
}

// One line without its line end. `text` and the views in `lexed` look into RobotsTxt::text().
struct LintLine {
  std::uint32_t number = 0;
  std::string_view text;
  core::LexedLine lexed;
  bool in_document = false;  // the document has a directive for this line
  std::int32_t group = -1;   // of that directive

  bool is_directive() const noexcept { return in_document && lexed.form == core::LexedLine::Form::directive; }
  bool is_rule() const noexcept {
    return is_directive() && (lexed.kind == DirectiveKind::allow || lexed.kind == DirectiveKind::disallow);
  }
  std::uint32_t column(std::size_t offset) const noexcept { return static_cast<std::uint32_t>(offset + 1); }
  // Returns the column of a view into `text`.
  std::uint32_t column(std::string_view part) const noexcept {
    return column(static_cast<std::size_t>(part.data() - text.data()));
  }
  // Returns the edit that writes `with` in place of `part`, which is a view into `text`.
  std::vector<LineEdit> edit(std::string_view part, std::string_view with) const;
};

// The lines of a file, counted from 1.
class FileLines {
 public:
  void add(std::string_view text, bool blank) {
    lines_.push_back(text);
    blank_before_.push_back(blank_before_.back() + (blank ? 1 : 0));
  }
  std::string_view text(std::uint32_t line) const noexcept { return lines_[line - 1]; }
  // Returns true if a line between these two is blank. Precondition: second <= number of added lines.
  bool blank_between(std::uint32_t first, std::uint32_t second) const noexcept {
    return first < second && blank_before_[second - 1] > blank_before_[first];
  }
  // Appends edits that delete the blank lines between these two.
  void delete_blank_lines(std::uint32_t first, std::uint32_t second, std::vector<LineEdit>& edits) const;

 private:
  std::vector<std::string_view> lines_;
  std::vector<std::uint32_t> blank_before_ = {0};  // [n]: blank lines among the first n
};

// The kind of content of a file.
enum class Content : std::uint8_t { rules, html, json, binary, utf16 };

// file_checks.cpp: the file as a whole. check_file() returns the kind of its content. The lines of a file are checked
// only if it contains rules.
Content check_file(const RobotsTxt& file, FileFacts facts, Findings& findings);

// fetch_checks.cpp: the response that contained the file.
void check_fetch(const FetchFacts& fetched, Findings& findings);

// Returns the pattern of a rule that can match a path; nothing for an empty or faulty rule.
std::optional<Pattern> pattern_of(const Directive& rule, const Dialect& dialect);

// rule_coverage.cpp: the rules of a group that already do what a faulty line is meant to do.
class RuleCoverage {
 public:
  RuleCoverage(std::span<const Group> groups, const Dialect& dialect);

  // Returns a rule that would make `rule` needless if it had this path; null if there is none. `group`: that of `rule`.
  const Directive* find(const Group& group, const LintLine& rule, std::string_view path);

 private:
  struct Rule {
    const Directive* line;
    Pattern pattern;
  };
  struct GroupRules {
    std::vector<Rule> rules;
    bool is_alone = false;  // its robots have no other group
  };
  const GroupRules& rules_of(const Group& group);

  const Dialect& dialect_;
  std::set<std::string, std::less<>> repeated_;  // agent_key of robots with several groups
  std::map<const Group*, GroupRules> groups_;
  StepBudget budget_;
};

// Facts about a group that are needed for many of its lines.
struct GroupFacts {
  // A Disallow line that closes a path, and the length of its pattern.
  struct Closing {
    std::size_t weight;
    const Directive* rule;
  };
  bool names_star = false;
  std::string names;                 // names_of()
  const Directive* open = nullptr;   // the first rule that allows everything, or else the first empty Disallow line
  std::vector<Closing> ever_longer;  // those that are longer than all above them, in file order
  std::size_t shortest = 0;          // of the Disallow lines that close a path; not set if there are none
};

// The surroundings of the rules of a file.
class RuleContext {
 public:
  // `site`: the hosts that the file probably belongs to.
  RuleContext(std::span<const Group> groups, const Dialect& dialect, const OwnHosts& site);

  const Dialect& dialect() const noexcept { return dialect_; }
  const OwnHosts& site() const noexcept { return site_; }
  bool any_star() const noexcept { return any_star_; }  // a group names "*"
  const Group* group_of(const LintLine& rule) const noexcept;
  const GroupFacts& facts_of(const Group& group);

  // Returns the rule that would make this line needless if it had the path `repaired`, and that makes it needless as it
  // is; null if there is none.
  const Directive* covering(const LintLine& rule, std::string_view repaired);

 private:
  std::span<const Group> groups_;
  const Dialect& dialect_;
  const OwnHosts& site_;
  RuleCoverage coverage_;
  std::map<const Group*, GroupFacts> facts_;
  bool any_star_;
};

// Returns the sentence that a line is needless beside this rule.
std::string delete_beside(const Directive& rule);

// byte_checks.cpp: the bytes of a line.
void check_bytes(const LintLine& line, RuleContext& context, Findings& findings);

// Returns true if check_bytes() reports an invisible character in this part of a line.
bool has_deceptive(std::string_view text) noexcept;

// comment_checks.cpp: comments that silence findings.
void read_comment(const LintLine& line, Findings& findings);

// spelling_checks.cpp: the names of directives.
class SpellingChecks {
 public:
  SpellingChecks(std::span<const Group> groups, Findings& findings) noexcept : groups_(groups), findings_(findings) {}
  void check(const LintLine& line);

 private:
  void malformed(const LintLine& line);
  void name(const LintLine& line);
  void other_name(const LintLine& line);
  void cut_value(const LintLine& line);
  bool joined(const LintLine& line);
  bool joined_name(const LintLine& line);
  void joined_value(const LintLine& line, std::string_view second);
  void once(const LintLine& line, std::string_view what, const Sentence& remedy,
            Code code = Code::nonstandard_directive);

  bool has_rule(const Group* group, const core::LexedLine& rule);
  bool is_for_all(const Group& group);  // names_star()

  std::span<const Group> groups_;
  Findings& findings_;
  std::set<std::string, std::less<>> told_;                                             // lower case
  std::map<const Group*, std::set<std::pair<DirectiveKind, std::string_view>>> rules_;  // of groups that were asked for
  std::map<const Group*, bool> stars_;
};

// place_checks.cpp: rules and settings outside of groups. Neighbours have one finding.
class PlaceChecks {
 public:
  PlaceChecks(std::span<const Group> groups, Findings& findings) noexcept : groups_(groups), findings_(findings) {}
  void check(const LintLine& line);
  void finish();  // call it after the last line

 private:
  struct Run {
    std::uint32_t line = 0, column = 0;
    std::string_view name;
    std::size_t count = 0;
    bool settings = true;  // all are settings
    bool harmless = true;  // all allow what is allowed anyway
    bool closes = false;   // one closes the whole site
  };

  std::span<const Group> groups_;
  Findings& findings_;
  Run run_;
};

// path_checks.cpp: the path of one Allow or Disallow line.
void check_path(const LintLine& line, RuleContext& context, Findings& findings);

// value_checks.cpp: the values of other directives.
class ValueChecks {
 public:
  // `url`: of the file; may be empty.
  ValueChecks(std::string_view url, Findings& findings) noexcept : url_(url), findings_(findings) {}
  void check(const LintLine& line);

 private:
  void crawl_delay(const LintLine& line);
  void sitemap(const LintLine& line);

  std::string_view url_;
  Findings& findings_;
  std::map<std::string_view, std::uint32_t> sitemaps_;  // value → its first line
};

// preference_checks.cpp: Content-Signal and Content-Usage.
void check_content_signal(const LintLine& line, Findings& findings);
void check_content_usage(const LintLine& line, Findings& findings);

using LineNumbers = std::set<std::uint32_t>;

// group_checks.cpp: how User-agent lines and rules form groups. Returns the lines of the stranded rules: those of one
// robot's group that are probably meant for all robots.
LineNumbers check_groups(std::span<const Group> groups, const FileLines& lines, const Dialect& dialect,
                         std::span<const KnownRobot> robots, Findings& findings);

// agent_places.cpp: the neighbours of a User-agent line, and other lines that name its robot.
class AgentPlaces {
 public:
  AgentPlaces(std::span<const Group> groups, const FileLines& lines);

  // Returns the advice that takes the line away without giving its rules to other robots; empty if there is none.
  std::string deletion(const Directive& agent) const;

  // Returns true if no blank line, rule or other line is between two User-agent lines of one group.
  bool same_block(const Directive& a, const Directive& b) const;

  // Returns the first User-agent line that names the robot `name`, in the same group or above equal rules; null if
  // there is none, or if the robot also has other rules.
  const Directive* equal(const Directive& agent, std::string_view name);

 private:
  const Group& group_of(const Directive& agent) const;
  bool keeps_name(const Directive& agent) const;
  std::size_t hash_of(const Group& group);

  std::span<const Group> groups_;
  const FileLines& lines_;
  std::map<std::string, std::vector<const Directive*>> named_;  // agent_key → its User-agent lines
  std::map<const Group*, std::size_t> hashes_;
  // The lines with "*" or the name of a robot, by group and run.
  mutable std::map<std::pair<std::int32_t, std::uint32_t>, std::vector<const Directive*>> good_names_;
};

// agent_checks.cpp: the value of one User-agent line.
class AgentChecks {
 public:
  AgentChecks(const FileLines& lines, const Dialect& dialect, std::span<const KnownRobot> robots, AgentPlaces& places,
              Findings& findings);
  void check(const Directive& agent);

 private:
  void unmatchable(const Directive& agent);
  void cut_short(const Directive& agent, std::string_view token);
  std::string ask_operator(const Directive& agent) const;
  std::string_view meant_by(std::string_view value) const;
  std::vector<LineEdit> write(const Directive& agent, std::string_view name) const;
  void near_miss(const Directive& agent);
  void product(const Directive& agent);

  const FileLines& lines_;
  const Dialect& dialect_;
  AgentPlaces& places_;
  Findings& findings_;
  std::map<std::string, std::string_view> names_;  // agent_key → name of a known robot
};

// rule_checks.cpp: the rules of a robot compared with each other. A stranded rule is not called needless beside others.
void check_rules(std::span<const Group> groups, const FileLines& lines, const Dialect& dialect,
                 const LineNumbers& stranded, Findings& findings);

// consequence_checks.cpp: what the whole file does to robots.
void check_consequences(const RobotsTxt& file, std::span<const Group> groups, const FileLines& lines,
                        std::span<const KnownRobot> robots, Findings& findings);

}  // namespace robotrules::advice
