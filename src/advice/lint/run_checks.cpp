#include "advice/lint/run_checks.hpp"

#include <algorithm>
#include <utility>

#include <robotrules/url.hpp>

#include "advice/lint/checks.hpp"

namespace robotrules::advice {
namespace {

std::size_t mark_size(std::string_view text, const Dialect& dialect) noexcept {
  if (dialect.byte_order_mark != Dialect::ByteOrderMark::skip_partial) return 0;
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  const auto differs = std::mismatch(mark.begin(), mark.end(), text.begin(), text.end()).first;
  return static_cast<std::size_t>(differs - mark.begin());
}

// Calls `each` with every line of the file in turn.
template <typename F>
void for_each_line(const RobotsTxt& file, F each) {
  const std::string_view text = file.text();
  const std::size_t mark = mark_size(text, file.dialect());
  const std::size_t directives = file.size();
  std::size_t next = 0;
  Directive known;  // next directive of the document; kept, because file.directive() may read a whole line
  if (directives != 0) known = file.directive(0);
  LintLine line;
  for (std::size_t begin = 0; begin < text.size();) {
    const core::LineSpan span = core::line_at(text, begin);
    ++line.number;
    line.text = text.substr(span.begin, span.end - span.begin);
    line.lexed = core::lex_line(line.text.substr(begin == 0 ? mark : 0), file.dialect());
    line.in_document = known.line == line.number;
    line.group = line.in_document ? known.group : -1;
    if (line.in_document) known = ++next < directives ? file.directive(next) : Directive();
    each(line);
    begin = span.next;
  }
}

OwnHosts hosts_of(const RobotsTxt& file) {
  OwnHosts hosts;
  if (Origin::of(file.url())) {
    hosts.add(file.url());
  } else {
    for (const Sitemap& sitemap : file.sitemaps()) hosts.add(sitemap.value);
  }
  return hosts;
}

}  // namespace

std::vector<LineEdit> LintLine::edit(std::string_view part, std::string_view with) const {
  const auto begin = static_cast<std::size_t>(part.data() - text.data());
  std::string line(text.substr(0, begin));
  line.append(with).append(text.substr(begin + part.size()));
  return write_edit(number, std::move(line));
}

void FileLines::delete_blank_lines(std::uint32_t first, std::uint32_t second, std::vector<LineEdit>& edits) const {
  for (std::uint32_t line = first + 1; line < second; ++line) {
    if (blank_before_[line] != blank_before_[line - 1]) edits.push_back({line, {}});
  }
}

std::vector<Diagnostic> lint(const RobotsTxt& file, const LintOptions& options, FileFacts facts) {
  Findings findings;
  if (options.fetched) check_fetch(*options.fetched, findings);
  const bool answered = !options.fetched || has_file(*options.fetched);
  if (!answered) return findings.take();  // the body is an error page
  // One finding for each line of a web page would not help.
  if (check_file(file, facts, findings) != Content::rules) return findings.take();
  const std::vector<Group> groups = file.groups();
  SpellingChecks spelling(groups, findings);
  PlaceChecks places(groups, findings);
  ValueChecks values(file.url(), findings);
  const OwnHosts site = hosts_of(file);
  RuleContext rules(groups, file.dialect(), site);
  FileLines lines;
  for_each_line(file, [&](const LintLine& line) {
    lines.add(line.text, line.lexed.form == core::LexedLine::Form::blank);
    read_comment(line, findings);
    check_bytes(line, rules, findings);
    spelling.check(line);
    places.check(line);
    check_path(line, rules, findings);
    values.check(line);
  });
  places.finish();
  const LineNumbers stranded = check_groups(groups, lines, file.dialect(), options.robots, findings);
  check_rules(groups, lines, file.dialect(), stranded, findings);
  check_consequences(file, groups, lines, options.robots, findings);
  return findings.take();
}

}  // namespace robotrules::advice

namespace robotrules {

std::vector<Diagnostic> diagnose(const RobotsTxt& file, const LintOptions& options) {
  return advice::lint(file, options, {.utf16 = file.was_utf16()});
}

}  // namespace robotrules
