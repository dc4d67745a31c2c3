#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "advice/lint/checks.hpp"
#include "base/utf8.hpp"

namespace robotrules::advice {
namespace {

constexpr std::size_t long_line = 2'083;        // many programs cut or refuse longer URLs
constexpr std::size_t over_long_line = 16'663;  // bytes of a line that Google's parser keeps

// Returns the text around a byte, for the message.
std::string_view around(std::string_view text, std::size_t at) noexcept {
  const std::size_t begin = at < 20 ? 0 : at - 20;
  return text.substr(begin, 40);
}

// Returns true if the character at `at` is between two characters beyond ASCII, as in words of some scripts.
bool is_inside_word(std::string_view text, std::size_t at, std::size_t size) noexcept {
  const auto beyond = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  return at > 0 && at + size < text.size() && beyond(text[at - 1]) && beyond(text[at + size]);
}

// Returns true for the character at `at` if it looks like a space or like nothing. The no-break space of Latin-1 does
// too.
bool is_deceptive_at(std::string_view text, std::size_t at, const base::Utf8Character& c) noexcept {
  if (c.valid) return is_deceptive(c.value) && !is_inside_word(text, at, c.size);
  const auto beyond = [&](std::size_t i) { return i < text.size() && static_cast<unsigned char>(text[i]) >= 0x80; };
  return c.value == 0xA0 && c.size == 1 && !beyond(at + 1) && (at == 0 || !beyond(at - 1));
}

// Returns the offset of the first deceptive character from `at` on, or npos if there is none.
std::size_t find_deceptive(std::string_view text, std::size_t at) noexcept {
  while (at < text.size()) {
    const base::Utf8Character c = base::utf8_at(text, at);
    if (is_deceptive_at(text, at, c)) return at;
    at += c.size;
  }
  return std::string_view::npos;
}

// Returns the offset of the first deceptive character of a directive, or npos if there is none.
std::size_t find_deceptive(const LintLine& line) {
  if (line.lexed.form != core::LexedLine::Form::directive && line.lexed.form != core::LexedLine::Form::malformed) {
    return std::string_view::npos;
  }
  const std::string_view text = line.text.substr(0, line.text.find('#'));
  return find_deceptive(text, line.number == 1 && text.starts_with("\xEF\xBB\xBF") ? 3 : 0);  // check_file() reports it
}

// Returns the edit that deletes the characters that `drop` selects before `end`.
template <typename F>
std::vector<LineEdit> without(const LintLine& line, std::size_t end, F drop) {
  std::string kept;
  std::size_t at = 0;
  while (at < end) {
    const base::Utf8Character c = base::utf8_at(line.text, at);
    const bool is_mark = at == 0 && line.number == 1 && c.value == 0xFEFF;
    if (is_mark || !drop(c, at)) kept.append(line.text, at, c.size);
    at += c.size;
  }
  kept += line.text.substr(at);
  return write_edit(line.number, std::move(kept));
}

void check_lengths(const LintLine& line, Findings& findings) {
  const std::string_view text = line.text;
  if (text.size() > over_long_line) {
    findings.add(
        Code::over_long_line, line.number, line.column(over_long_line),
        {"The line has {} bytes; Google's parser reads only the first 16,663 and uses them as the whole value.",
         {text.size()}},
        "Shorten the value, or write several lines.");
  } else if (text.size() > long_line) {
    findings.add(Code::long_line, line.number, line.column(long_line),
                 {"The line has {} bytes; usual URLs are not longer than 2,083.", {text.size()}},
                 "Shorten the path: a rule matches every URL that begins with its path.");
  }
}

// Returns `text` without its deceptive characters.
std::string without_deceptive(std::string_view text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const base::Utf8Character c = base::utf8_at(text, at);
    if (!is_deceptive_at(text, at, c)) kept.append(text, at, c.size);
    at += c.size;
  }
  return kept;
}

void check_deceptive(const LintLine& line, RuleContext& context, Findings& findings) {
  const std::size_t at = find_deceptive(line);
  if (at == std::string_view::npos) return;
  if (const Directive* const rule = context.covering(line, without_deceptive(line.lexed.value))) {
    findings.add(Code::invisible_character, line.number, line.column(at),
                 {"{} contains a character that cannot be seen.", {quote(around(line.text, at))}}, delete_beside(*rule),
                 delete_edit(line.number), Severity::warning);
    return;
  }
  findings.add(
      Code::invisible_character, line.number, line.column(at),
      {"{} contains a character that cannot be seen; robots read it as part of the name or value, so the line does not "
       "do what it seems to.",
       {quote(around(line.text, at))}},
      "Delete the character.",
      without(line, std::min(line.text.find('#'), line.text.size()),
              [&](const base::Utf8Character& c, std::size_t place) { return is_deceptive_at(line.text, place, c); }),
      line.lexed.kind == DirectiveKind::noindex ? std::optional(Severity::note) : std::nullopt);
}

bool is_control(const base::Utf8Character& c) noexcept {
  return c.value != '\t' && (c.value < 0x20 || c.value == 0x7F);
}

}  // namespace

bool has_deceptive(std::string_view text) noexcept { return find_deceptive(text, 0) != std::string_view::npos; }

void check_bytes(const LintLine& line, RuleContext& context, Findings& findings) {
  check_lengths(line, findings);
  check_deceptive(line, context, findings);
  const std::string_view text = line.text;
  const bool deceptive = find_deceptive(line) != std::string_view::npos;
  const std::size_t deceptive_end = deceptive ? text.find('#') : 0;
  bool invalid = false, nul = false, control = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7F) {
      ++at;
      continue;
    }
    const base::Utf8Character c = base::utf8_at(text, at);
    if (!c.valid && !invalid && !(at < deceptive_end && is_deceptive_at(text, at, c))) {
      invalid = true;
      findings.add(Code::invalid_utf8, line.number, line.column(at),
                   {"{} contains bytes that are not UTF-8; robots read them differently.", {quote(around(text, at))}},
                   "Save the file as UTF-8, or percent-encode the bytes of the URL (\"%E9\").");
    } else if (byte == 0 && !nul) {
      nul = true;
      findings.add(Code::nul_byte, line.number, line.column(at),
                   {"There is a NUL byte in {}; some robots stop reading the line there, others drop the byte.",
                    {quote(around(text, at))}},
                   "Delete the byte.",
                   without(line, text.size(), [](const auto& other, std::size_t) { return other.value == 0; }));
    } else if (byte != 0 && byte != '\t' && (byte < 0x20 || byte == 0x7F) && !control) {
      control = true;
      findings.add(Code::control_byte, line.number, line.column(at),
                   {"There is a control character in {}.", {quote(around(text, at))}}, "Delete the character.",
                   without(line, text.size(), [](const auto& other, std::size_t) { return is_control(other); }));
    }
    at += c.size;
  }
}

}  // namespace robotrules::advice
