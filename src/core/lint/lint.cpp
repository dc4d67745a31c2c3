#include "core/lint/lint.hpp"

#include <algorithm>

#include "core/lint/checks.hpp"

namespace robotrules::core {
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
    const LineSpan span = line_at(text, begin);
    ++line.number;
    line.text = text.substr(span.begin, span.end - span.begin);
    line.lexed = lex_line(line.text.substr(begin == 0 ? mark : 0), file.dialect());
    line.in_document = known.line == line.number;
    line.group = line.in_document ? known.group : -1;
    if (line.in_document) known = ++next < directives ? file.directive(next) : Directive();
    each(line);
    begin = span.next;
  }
}

// Returns true for directives that have no effect outside a group.
bool needs_group(DirectiveKind kind) noexcept {
  return kind == DirectiveKind::allow || kind == DirectiveKind::disallow || kind == DirectiveKind::crawl_delay ||
         kind == DirectiveKind::request_rate || kind == DirectiveKind::visit_time;
}

void check_place(const LintLine& line, Findings& findings) {
  if (!line.is_directive() || line.group >= 0 || !needs_group(line.lexed.kind)) return;
  findings.add(
      Code::rule_outside_group, line.number, line.column(line.lexed.name),
      quoted(line.lexed.name) + " belongs to no group, because no User-agent line comes before it; robots ignore it.",
      "Write \"User-agent: *\" or \"User-agent: NAME\" before it.");
}

}  // namespace

std::vector<Diagnostic> lint(const RobotsTxt& file, FileFacts facts) {
  Findings findings;
  check_file(file, facts, findings);
  if (file.looks_like_html()) {  // one finding for each line of a web page would not help
    check_html(file, findings);
    return findings.take();
  }
  SpellingChecks spelling(findings);
  ValueChecks values(findings);
  BlankLines blanks;
  for_each_line(file, [&](const LintLine& line) {
    blanks.add_line(line.lexed.form == LexedLine::Form::blank);
    check_bytes(line, findings);
    spelling.check(line);
    check_place(line, findings);
    check_path(line, file.dialect(), findings);
    values.check(line);
  });
  const std::vector<Group> groups = file.groups();
  check_groups(groups, blanks, file.dialect(), findings);
  check_rules(groups, file.dialect(), findings);
  return findings.take();
}

}  // namespace robotrules::core
