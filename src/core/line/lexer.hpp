// One line of a robots.txt, taken apart as a dialect says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/robots_txt.hpp>

namespace robotrules::core {

// What a line is. `name` and `value` are views into the line given; both are empty unless `form` is `directive`.
struct LexedLine {
  enum class Form : std::uint8_t {
    blank,         // nothing but white space
    comment_only,  // nothing but a comment
    directive,     // name and value
    malformed,     // something else: no separator, or no name
  };
  Form form = Form::blank;
  DirectiveKind kind = DirectiveKind::other;
  bool missing_colon = false;  // white space stood for the colon
  bool lenient_name = false;   // a misspelling or other spelling of the name was accepted
  std::string_view name;
  std::string_view value;
};

// `line` is without its line end. Total: every byte string is a line.
LexedLine lex_line(std::string_view line, const Dialect& dialect) noexcept;

// The same of a line that is known to hold no NUL and no comment, and to be no longer than the dialect reads.
LexedLine lex_content(std::string_view line, const Dialect& dialect) noexcept;

// The line that begins at `begin` < text.size(): its octets end at `end`, the next line begins at `next` (behind CR,
// LF or CRLF). `next` == text.size() after the last.
struct LineSpan {
  std::size_t begin;
  std::size_t end;
  std::size_t next;
};
LineSpan line_at(std::string_view text, std::size_t begin) noexcept;

}  // namespace robotrules::core
