// One line of a robots.txt, split into name and value by the rules of a dialect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/robots_txt.hpp>

#include "base/visibility.hpp"

namespace robotrules::core {

// The parts of a line. `name` and `value` are views into the line; both are empty unless `form` is `directive`.
struct LexedLine {
  enum class Form : std::uint8_t {
    blank,         // only white space
    comment_only,  // only a comment
    directive,     // name and value
    malformed,     // all other lines: no separator, or no name
  };
  Form form = Form::blank;
  DirectiveKind kind = DirectiveKind::other;
  bool missing_colon = false;  // the line has white space in place of the colon
  bool lenient_name = false;   // an unusual spelling or a misspelling of the name was accepted
  std::string_view name;
  std::string_view value;
};

// Splits any line. `line` has no line end.
ROBOTRULES_INTERNAL_API LexedLine lex_line(std::string_view line, const Dialect& dialect) noexcept;

// Does the same for a line without NUL and comment that is not longer than the limit of the dialect.
LexedLine lex_content(std::string_view line, const Dialect& dialect) noexcept;

// The line that begins at `begin` < text.size(). It ends at `end`, and the next line begins at `next`, after CR, LF or
// CRLF. After the last line, `next` is text.size().
struct LineSpan {
  std::size_t begin;
  std::size_t end;
  std::size_t next;
};
ROBOTRULES_INTERNAL_API LineSpan line_at(std::string_view text, std::size_t begin) noexcept;

}  // namespace robotrules::core
