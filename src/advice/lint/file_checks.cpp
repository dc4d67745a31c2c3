#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "advice/lint/checks.hpp"
#include "base/ascii.hpp"

namespace robotrules::advice {
namespace {

constexpr std::size_t usual_limit = 512'000;

void check_mark(std::string_view text, Findings& findings) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  std::size_t size = 0;
  while (size < mark.size() && size < text.size() && text[size] == mark[size]) ++size;
  if (size == 0) return;
  constexpr std::string_view remedy = "Save the file as UTF-8 without a byte order mark.";
  const core::LineSpan line = core::line_at(text, 0);
  const std::vector<LineEdit> edits = write_edit(1, std::string(text.substr(size, line.end - size)));
  if (size == mark.size()) {
    findings.add(Code::byte_order_mark, 1, 1,
                 "The file begins with a byte order mark; some robots read it as part of the first line and "
                 "ignore that line.",
                 remedy, edits);
  } else {
    findings.add(Code::byte_order_mark, 1, 1,
                 {"The file begins with {}, a part of a byte order mark; few robots skip it, and the others ignore the "
                  "first line.",
                  {quote(text.substr(0, size))}},
                 remedy, edits);
  }
}

// Returns true if every other one of the first bytes is NUL, as in UTF-16 text of ASCII characters.
bool looks_like_utf16(std::string_view text) noexcept {
  constexpr std::size_t looked_at = 200;
  text = text.substr(0, std::min(text.size(), looked_at) / 2 * 2);
  if (text.size() < 8) return false;
  for (const std::size_t first : {0u, 1u}) {
    bool alternates = true;
    for (std::size_t i = 0; i < text.size() && alternates; i += 2) {
      alternates = text[i + first] == '\0' && text[i + 1 - first] != '\0';
    }
    if (alternates) return true;
  }
  return false;
}

// Returns true if the file is UTF-16 that was not converted.
bool check_utf16(const RobotsTxt& file, FileFacts facts, Findings& findings) {
  const std::string_view text = file.text();
  const bool marked = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  const bool unmarked = !facts.utf16 && looks_like_utf16(text);
  if (!facts.utf16 && !marked && !unmarked) return false;
  findings.add(Code::utf_16_file, 1, 1,
               facts.utf16 ? "The file is UTF-16; it was converted here, but most robots find no directive in it."
               : unmarked  ? "The file is UTF-16 without a byte order mark; robots find no directive in it."
                           : "The file is UTF-16 and no directive in it can be read.",
               "Save the file as UTF-8.");
  return unmarked;
}

// Returns true if the file begins like a JSON document.
bool looks_like_json(std::string_view text) noexcept {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return false;
  const std::size_t second = text.find_first_not_of(" \t\r\n", first + 1);
  if (second == std::string_view::npos) return false;
  return std::string_view("\"{[]}").find(text[second]) != std::string_view::npos;
}

// Returns true for an image and the like: NUL bytes and many other control characters.
bool looks_binary(std::string_view text) noexcept {
  constexpr std::size_t looked_at = 1'024;
  text = text.substr(0, looked_at);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && !base::is_space(c); };
  const auto controls = std::count_if(text.begin(), text.end(), is_control);
  return text.find('\0') != std::string_view::npos && static_cast<std::size_t>(controls) > text.size() / 10;
}

// Reports the first line with another line end than line 1.
void check_line_ends(std::string_view text, Findings& findings) {
  const auto name = [](std::string_view end) { return end.size() == 2 ? "CR LF" : end == "\n" ? "LF" : "CR"; };
  std::string_view first;
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const core::LineSpan span = core::line_at(text, begin);
    const std::string_view end = text.substr(span.end, span.next - span.end);
    ++number;
    if (end.empty()) return;
    if (first.empty()) first = end;
    if (end != first) {
      findings.add(Code::mixed_line_ends, number, static_cast<std::uint32_t>(span.end - span.begin + 1),
                   {"This line ends in {}, the first one in {}.", {name(end), name(first)}},
                   "Save the file with one kind of line ends.");
      return;
    }
    begin = span.next;
  }
}

void check_size(const RobotsTxt& file, Findings& findings) {
  const std::string_view text = file.text();
  constexpr std::string_view remedy =
      "Shorten the file: replace similar rules by one rule with \"*\", and delete rules that make no difference.";
  if (file.truncated()) {
    const std::size_t limit = file.dialect().file_limit;
    findings.add(Code::file_over_limit, file.line_count(), file.line_count() == 0 ? 0 : 1,
                 {"The file is longer than the {} bytes that are read; this is the last line that counts here. A robot "
                  "that stops inside the next line may read only the beginning of its path, and so close or open more "
                  "than the whole line does.",
                  {limit}},
                 remedy);
  } else if (text.size() > usual_limit) {
    std::uint32_t number = 0;
    std::size_t line_begin = 0;
    for (std::size_t begin = 0; begin <= usual_limit;) {
      line_begin = begin;
      ++number;
      begin = core::line_at(text, begin).next;
    }
    findings.add(Code::file_over_limit, number, static_cast<std::uint32_t>(usual_limit - line_begin + 1),
                 {"The file has {} bytes; robots may stop reading after 512,000, in this line.", {text.size()}},
                 remedy);
  }
}

void check_html(const RobotsTxt& file, Findings& findings) {
  std::string message = "This is a web page, not a robots.txt";
  message += file.group_count() == 0 ? ": robots find no rules in it."
                                     : "; robots still read the lines in it that look like rules.";
  std::uint32_t line = 1;  // the first one that is not blank
  for (std::size_t begin = 0; begin < file.text().size(); ++line) {
    const core::LineSpan span = core::line_at(file.text(), begin);
    if (!base::trimmed(file.text().substr(span.begin, span.end - span.begin)).empty()) break;
    begin = span.next;
  }
  findings.add(Code::html_page, line, 1, message,
               "Serve the rules themselves at /robots.txt as text/plain, or answer 404 if there are none.");
}

// Reports a file from which robots learn nothing about paths.
void check_rules_exist(const RobotsTxt& file, Findings& findings) {
  if (file.truncated()) return;
  if (file.size() == 0) {
    findings.add(Code::empty_file, 0, 0, "The file has no directives: robots may fetch everything.",
                 "If that is intended, write \"User-agent: *\" and \"Disallow:\" to show it.");
    return;
  }
  for (std::size_t i = 0; i < file.size(); ++i) {
    const DirectiveKind kind = file.directive(i).kind;
    // "group-without-rules" is about groups.
    if (kind == DirectiveKind::allow || kind == DirectiveKind::disallow || kind == DirectiveKind::user_agent) return;
  }
  findings.add(Code::no_rules, 0, 0, "No line of the file is a rule: robots may fetch everything.",
               "If that is intended, write \"User-agent: *\" and \"Disallow:\" to show it.");
}

}  // namespace

Content check_file(const RobotsTxt& file, FileFacts facts, Findings& findings) {
  if (check_utf16(file, facts, findings)) return Content::utf16;
  if (file.looks_like_html()) {
    check_html(file, findings);
    return Content::html;
  }
  if (looks_like_json(file.text()) && file.group_count() == 0) {
    findings.add(Code::json_file, 1, 1, "This is a JSON document, not a robots.txt: robots find no rules in it.",
                 "Serve the rules themselves at /robots.txt as text/plain, or answer 404 if there are none.");
    return Content::json;
  }
  if (looks_binary(file.text()) && file.group_count() == 0) {
    findings.add(Code::binary_file, 1, 1,
                 "This is an image or another binary file, not a robots.txt: robots find no rules in it.",
                 "Serve the rules themselves at /robots.txt as text/plain, or answer 404 if there are none.");
    return Content::binary;
  }
  check_mark(file.text(), findings);
  check_line_ends(file.text(), findings);
  check_size(file, findings);
  check_rules_exist(file, findings);
  return Content::rules;
}

}  // namespace robotrules::advice
