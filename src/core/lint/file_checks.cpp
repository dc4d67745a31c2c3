#include <string>

#include "core/lint/checks.hpp"

namespace robotrules::core {
namespace {

constexpr std::size_t usual_limit = 512'000;

void check_mark(std::string_view text, Findings& findings) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  std::size_t size = 0;
  while (size < mark.size() && size < text.size() && text[size] == mark[size]) ++size;
  if (size == 0) return;
  const std::string remedy = "Save the file as UTF-8 without a byte order mark.";
  if (size == mark.size()) {
    findings.add(Code::byte_order_mark, 1, 1,
                 "The file begins with a byte order mark; some robots read it as part of the first line and "
                 "ignore that line.",
                 remedy);
  } else {
    findings.add(Code::byte_order_mark, 1, 1,
                 "The file begins with " + quoted(text.substr(0, size)) +
                     ", a part of a byte order mark; few robots skip it, and the others ignore the first line.",
                 remedy);
  }
}

void check_utf16(const RobotsTxt& file, FileFacts facts, Findings& findings) {
  const std::string_view text = file.text();
  if (!facts.utf16 && !text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) return;
  findings.add(Code::utf_16_file, 1, 1,
               facts.utf16 ? "The file is UTF-16; it was converted here, but most robots find no directive in it."
                           : "The file is UTF-16 and no directive in it can be read.",
               "Save the file as UTF-8.");
}

// Reports the first line with another line end than line 1.
void check_line_ends(std::string_view text, Findings& findings) {
  const auto name = [](std::string_view end) { return end.size() == 2 ? "CR LF" : end == "\n" ? "LF" : "CR"; };
  std::string_view first;
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const LineSpan span = line_at(text, begin);
    const std::string_view end = text.substr(span.end, span.next - span.end);
    ++number;
    if (end.empty()) return;
    if (first.empty()) first = end;
    if (end != first) {
      findings.add(Code::mixed_line_ends, number, static_cast<std::uint32_t>(span.end - span.begin + 1),
                   std::string("This line ends in ") + name(end) + ", the first one in " + name(first) + ".",
                   "Save the file with one kind of line ends.");
      return;
    }
    begin = span.next;
  }
}

void check_size(const RobotsTxt& file, Findings& findings) {
  const std::string_view text = file.text();
  const std::string remedy =
      "Shorten the file: replace similar rules by one rule with \"*\", and delete rules that make no difference.";
  if (file.truncated()) {
    const std::size_t limit = file.dialect().file_limit;
    findings.add(Code::file_over_limit, file.line_count(), file.line_count() == 0 ? 0 : 1,
                 "The file is longer than the " + std::to_string(limit) +
                     " bytes that are read; this is the last line that counts.",
                 remedy);
  } else if (text.size() > usual_limit) {
    std::uint32_t number = 0;
    std::size_t line_begin = 0;
    for (std::size_t begin = 0; begin <= usual_limit;) {
      line_begin = begin;
      ++number;
      begin = line_at(text, begin).next;
    }
    findings.add(
        Code::file_over_limit, number, static_cast<std::uint32_t>(usual_limit - line_begin + 1),
        "The file has " + std::to_string(text.size()) + " bytes; robots may stop reading after 512,000, in this line.",
        remedy);
  }
}

}  // namespace

void check_file(const RobotsTxt& file, FileFacts facts, Findings& findings) {
  check_utf16(file, facts, findings);
  check_mark(file.text(), findings);
  check_line_ends(file.text(), findings);
  check_size(file, findings);
  if (file.size() == 0 && !file.looks_like_html() && !file.truncated()) {
    findings.add(Code::empty_file, 0, 0, "The file has no directives: robots may fetch everything.",
                 "If that is intended, write \"User-agent: *\" and \"Disallow:\" to show it.");
  }
}

void check_html(const RobotsTxt& file, Findings& findings) {
  std::string message = "This is a web page, not a robots.txt";
  message += file.group_count() == 0 ? ": robots find no rules in it."
                                     : "; robots still read the lines in it that look like rules.";
  findings.add(Code::html_page, 1, 1, std::move(message),
               "Serve the rules themselves at /robots.txt as text/plain, or answer 404 if there are none.");
}

}  // namespace robotrules::core
