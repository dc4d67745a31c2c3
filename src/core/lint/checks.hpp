// The families of checks. Each reads its input and adds to Findings. No family depends on another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <robotrules/robots_txt.hpp>

#include "core/line/lexer.hpp"
#include "core/lint/findings.hpp"
#include "core/lint/lint.hpp"

namespace robotrules::core {

// One line without its line end. `text` and the views in `lexed` look into RobotsTxt::text().
struct LintLine {
  std::uint32_t number = 0;
  std::string_view text;
  LexedLine lexed;
  bool in_document = false;  // the document has a directive for this line
  std::int32_t group = -1;   // of that directive

  bool is_directive() const noexcept { return in_document && lexed.form == LexedLine::Form::directive; }
  bool is_rule() const noexcept {
    return is_directive() && (lexed.kind == DirectiveKind::allow || lexed.kind == DirectiveKind::disallow);
  }
  std::uint32_t column(std::size_t offset) const noexcept { return static_cast<std::uint32_t>(offset + 1); }
  // Returns the column of a view into `text`.
  std::uint32_t column(std::string_view part) const noexcept {
    return column(static_cast<std::size_t>(part.data() - text.data()));
  }
};

// The positions of blank lines.
class BlankLines {
 public:
  void add_line(bool blank) { before_.push_back(before_.back() + (blank ? 1 : 0)); }
  // Returns true if a line between these two is blank. Precondition: second <= number of added lines.
  bool between(std::uint32_t first, std::uint32_t second) const noexcept {
    return first < second && before_[second - 1] > before_[first];
  }

 private:
  std::vector<std::uint32_t> before_ = {0};  // [n]: blank lines among the first n
};

// file_checks.cpp: the file as a whole.
void check_file(const RobotsTxt& file, FileFacts facts, Findings& findings);
void check_html(const RobotsTxt& file, Findings& findings);

// byte_checks.cpp: the bytes of a line, without their meaning.
void check_bytes(const LintLine& line, Findings& findings);

// spelling_checks.cpp: the names of directives.
class SpellingChecks {
 public:
  explicit SpellingChecks(Findings& findings) noexcept : findings_(findings) {}
  void check(const LintLine& line);

 private:
  void malformed(const LintLine& line);
  void name(const LintLine& line);
  void other_name(const LintLine& line);
  void cut_value(const LintLine& line);
  bool joined(const LintLine& line);
  void once(const LintLine& line, std::string_view what, std::string remedy);

  Findings& findings_;
  std::unordered_set<std::string> told_;  // lower case
};

// path_checks.cpp: the path of one Allow or Disallow line.
void check_path(const LintLine& line, const Dialect& dialect, Findings& findings);

// value_checks.cpp: the values of other directives.
class ValueChecks {
 public:
  explicit ValueChecks(Findings& findings) noexcept : findings_(findings) {}
  void check(const LintLine& line);

 private:
  void crawl_delay(const LintLine& line);
  void sitemap(const LintLine& line);

  Findings& findings_;
  std::unordered_map<std::string_view, std::uint32_t> sitemaps_;  // value → its first line
};

// preference_checks.cpp: Content-Signal and Content-Usage.
void check_content_signal(const LintLine& line, Findings& findings);
void check_content_usage(const LintLine& line, Findings& findings);

// group_checks.cpp: how User-agent lines and rules form groups.
void check_groups(std::span<const Group> groups, const BlankLines& blanks, const Dialect& dialect, Findings& findings);

// rule_checks.cpp: the rules of a robot compared with each other.
void check_rules(std::span<const Group> groups, const Dialect& dialect, Findings& findings);

}  // namespace robotrules::core
