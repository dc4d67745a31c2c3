// The scanner: from bytes to directives in one pass. The document and the fast path both use it, so they read every
// line alike.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/robots_txt.hpp>

#include "base/ascii.hpp"
#include "core/line/lexer.hpp"
#include "core/line/line_marks.hpp"

namespace robotrules::core {

// A directive by offsets into the text. Lines count from 1.
struct ScannedLine {
  std::uint32_t line;
  std::uint32_t name_begin;
  std::uint32_t value_begin;
  std::uint32_t value_size;
  DirectiveKind kind;
  bool after_blank = false;  // set by the document: a blank line before it ended a group
};

// Limit in bytes (512 MiB) for dialects without a limit of their own; the rest is not read. Offsets have 32 bits, and a
// compiled rule may need several times its bytes.
inline constexpr std::size_t max_text = std::size_t{1} << 29;

// The text as the dialect reads it: UTF-16 is converted, NULs are removed, and the text is cut at the limit. It is a
// view of `robots`, or of `storage` if bytes had to change.
struct PreparedText {
  std::string_view text;
  std::size_t mark_size = 0;  // bytes of a byte order mark at the start of `text`
  bool truncated = false;
  bool was_utf16 = false;
};
PreparedText prepare_text(std::string_view robots, const Dialect& dialect, std::string& storage);

namespace scan_detail {

inline std::uint64_t load_lower(const char* data) noexcept {
  std::uint64_t bytes;
  std::memcpy(&bytes, data, 8);
  return bytes | 0x2020202020202020;
}
constexpr std::uint64_t word(const char (&text)[9]) noexcept {
  std::uint64_t bytes = 0;
  for (int i = 0; i < 8; ++i) {
    const int shift = std::endian::native == std::endian::little ? 8 * i : 56 - 8 * i;
    bytes |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << shift;
  }
  return bytes;
}

}  // namespace scan_detail

// Calls sink.blank(line) for blank lines and sink.directive(ScannedLine) for directives, in file order. Lines with only
// a comment are skipped. While sink.skips_rules() is true, some Allow and Disallow lines are left out. The pass ends
// early when sink.done() is true.
template <class Sink>
class Scanner {
 public:
  Scanner(const PreparedText& prepared, const Dialect& dialect, Sink& sink) noexcept
      : text_(prepared.text),
        dialect_(dialect),
        sink_(sink),
        first_line_begin_(prepared.mark_size),
        line_limit_(dialect.line_limit == 0 ? none : dialect.line_limit),
        usual_comments_(dialect.comment == Dialect::Comment::anywhere),
        hears_all_(dialect.other_line_ends_agents) {}

  // Returns the number of lines that were read.
  std::uint32_t run() {
    std::uint32_t marks[mark_block + 8];
    const char* const data = text_.data();
    std::size_t line_begin = first_line_begin_;
    std::size_t hash = none;  // the line's first "#"
    bool nul = false;
    for (std::size_t base = 0; base < text_.size(); base += mark_block) {
      const std::size_t count = find_line_marks(data + base, std::min(mark_block, text_.size() - base), marks);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = base + marks[i];
        const char c = data[at];
        if (c == '#') {
          if (hash == none) hash = at;
          continue;
        }
        if (c == '\0') {
          nul = true;
          continue;
        }
        const bool second_of_crlf = at == line_begin && c == '\n' && at > first_line_begin_ && data[at - 1] == '\r';
        if (!second_of_crlf) {
          end_line(line_begin, at, hash, nul);
          if (sink_.done()) return line_;
        }
        line_begin = at + 1;
        hash = none;
        nul = false;
      }
    }
    if (line_begin < text_.size()) end_line(line_begin, text_.size(), hash, nul);
    return line_;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void end_line(std::size_t begin, std::size_t end, std::size_t hash, bool nul) {
    using namespace scan_detail;
    ++line_;
    // Blank lines and comments. The eight bytes read below may reach into the next line, but not out of the text.
    if (begin == end) return sink_.blank(line_);
    if (hash == begin) return;
    if (nul || begin + 8 > text_.size() || (hash != none && !usual_comments_)) return general(begin, end);

    // Nearly all lines have one of these spellings, so the table of names is not needed for them.
    std::size_t size = (hash < end ? hash : end) - begin;
    if (size > line_limit_) size = line_limit_;
    const char* const line = text_.data() + begin;
    const std::uint64_t head = load_lower(line);
    if (head == word("disallow")) {
      if (size >= 9 && line[8] == ':') return rule(DirectiveKind::disallow, begin, 9, size);
    } else if ((head & low_bytes(6)) == (word("allow:  ") & low_bytes(6))) {
      if (size >= 6 && line[5] == ':' && dialect_.allow_lines) return rule(DirectiveKind::allow, begin, 6, size);
    } else if (head == word("user-age")) {
      if (size >= 11 && base::lower(line[8]) == 'n' && base::lower(line[9]) == 't' && line[10] == ':') {
        return emit(DirectiveKind::user_agent, begin, 11, size);
      }
    }
    other_line(begin, begin + size, hash < end);
  }

  void rule(DirectiveKind kind, std::size_t begin, std::size_t name_size, std::size_t size) {
    if (!sink_.skips_rules()) emit(kind, begin, name_size, size);
  }

  void emit(DirectiveKind kind, std::size_t begin, std::size_t name_size, std::size_t size) {
    const char* const line = text_.data() + begin;
    std::size_t from = name_size;
    if (from < size && line[from] == ' ') ++from;
    while (from < size && base::is_space(line[from])) ++from;
    while (size > from && base::is_space(line[size - 1])) --size;
    sink_.directive({line_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + from),
                     static_cast<std::uint32_t>(size - from), kind});
  }

  // Handles unusual spellings. Some files are full of such lines (web pages served as robots.txt). So a sink may name
  // the first letters of the directives that it needs, and other lines are skipped early.
  void other_line(std::size_t begin, std::size_t end, bool comment) {
    constexpr std::uint64_t spaces = 0x2020202020202020;
    const char* const data = text_.data();
    std::size_t at = begin;
    std::uint64_t bytes;
    while (at + 8 <= end && (std::memcpy(&bytes, data + at, 8), bytes == spaces)) at += 8;
    while (at < end && base::is_space(data[at])) ++at;
    if (at == end) return comment ? void() : sink_.blank(line_);
    if constexpr (requires { Sink::initials; }) {
      const bool known =
          (data[at] & 0xC0) == 0x40 && ((letter_set(Sink::initials) >> (base::lower(data[at]) & 31)) & 1) != 0;
      if (!known && !hears_all_) return;
    }
    found(lex_content({data + at, end - at}, dialect_));
  }

  // Returns a set with one bit for each lower-case letter.
  static constexpr std::uint32_t letter_set(std::string_view letters) noexcept {
    std::uint32_t set = 0;
    for (const char c : letters) set |= 1u << (c & 31);
    return set;
  }

  static constexpr std::uint64_t low_bytes(int count) noexcept {
    return std::endian::native == std::endian::little ? (std::uint64_t{1} << (8 * count)) - 1
                                                      : ~((std::uint64_t{1} << (64 - 8 * count)) - 1);
  }

  void general(std::size_t begin, std::size_t end) { found(lex_line(text_.substr(begin, end - begin), dialect_)); }

  void found(const LexedLine& lexed) {
    if (lexed.form == LexedLine::Form::blank) return sink_.blank(line_);
    if (lexed.form != LexedLine::Form::directive) return;
    const auto offset = [this](std::string_view part) {
      return static_cast<std::uint32_t>(part.data() - text_.data());
    };
    sink_.directive(
        {line_, offset(lexed.name), offset(lexed.value), static_cast<std::uint32_t>(lexed.value.size()), lexed.kind});
  }

  std::string_view text_;
  const Dialect& dialect_;
  Sink& sink_;
  std::size_t first_line_begin_;
  std::size_t line_limit_;
  bool usual_comments_;
  bool hears_all_;
  std::uint32_t line_ = 0;
};

// Decides which lines form a group in a dialect. No other code decides this.
class Grouping {
 public:
  explicit Grouping(const Dialect& dialect) noexcept : dialect_(dialect) {}

  // Takes a User-agent line and returns what it begins. A group consists of runs of User-agent lines. Rules apply to
  // the whole group, settings only to the run above them: rules of neighbouring groups may be merged, settings never
  // are.
  enum class Begins : std::uint8_t { nothing, run, group };
  Begins agent() noexcept {
    seen_agent_ = true;
    const bool group = !open_ || (has_rule_ && dialect_.agent_after_rule_starts_group);
    const bool run = group || run_over_;
    open_ = true;
    run_over_ = false;
    if (group) has_rule_ = false;
    return group ? Begins::group : run ? Begins::run : Begins::nothing;
  }

  // Takes an Allow or Disallow line and returns the group that it belongs to.
  enum class Owner : std::uint8_t { open_group, new_default_group, nobody };
  Owner rule() noexcept {
    run_over_ = true;
    if (open_) {
      has_rule_ = true;
      return Owner::open_group;
    }
    if (seen_agent_ || dialect_.orphan_rules != Dialect::OrphanRules::any_robot) return Owner::nobody;
    open_ = has_rule_ = true;
    return Owner::new_default_group;
  }

  // Takes a line of another kind.
  void other(DirectiveKind kind) noexcept {
    if (is_setting(kind)) run_over_ = true;
    if (dialect_.other_line_ends_agents) has_rule_ = true;
  }

  void blank() noexcept {
    if (dialect_.blank_line_ends_group) open_ = false;
  }

  // Tell whether a group is open for lines of other kinds, and whether the group has a rule.
  bool open() const noexcept { return open_; }
  bool has_rule() const noexcept { return has_rule_; }

 private:
  const Dialect& dialect_;
  bool open_ = false;
  bool has_rule_ = false;  // or a line that counts as one
  bool run_over_ = false;  // the next User-agent line begins a run
  bool seen_agent_ = false;
};

}  // namespace robotrules::core
