#include <string>

#include "base/utf8.hpp"
#include "core/lint/checks.hpp"

namespace robotrules::core {
namespace {

constexpr std::size_t long_line = 2'083;        // many programs cut or refuse longer URLs
constexpr std::size_t over_long_line = 16'663;  // bytes of a line that Google's parser keeps

// Returns the text around a byte, for the message.
std::string_view around(std::string_view text, std::size_t at) noexcept {
  const std::size_t begin = at < 20 ? 0 : at - 20;
  return text.substr(begin, 40);
}

}  // namespace

void check_bytes(const LintLine& line, Findings& findings) {
  const std::string_view text = line.text;
  if (text.size() > over_long_line) {
    findings.add(Code::over_long_line, line.number, line.column(over_long_line),
                 "The line has " + std::to_string(text.size()) +
                     " bytes; Google's parser reads only the first 16,663 and uses them as the whole value.",
                 "Shorten the value, or write several lines.");
  } else if (text.size() > long_line) {
    findings.add(Code::long_line, line.number, line.column(long_line),
                 "The line has " + std::to_string(text.size()) + " bytes; usual URLs are not longer than 2,083.",
                 "Shorten the path: a rule matches every URL that begins with its path.");
  }

  bool invalid = false, nul = false, control = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7F) {
      ++at;
      continue;
    }
    const base::Utf8Character c = base::utf8_at(text, at);
    if (!c.valid && !invalid) {
      invalid = true;
      findings.add(Code::invalid_utf8, line.number, line.column(at),
                   quoted(around(text, at)) + " contains bytes that are not UTF-8; robots read them differently.",
                   "Save the file as UTF-8, or percent-encode the bytes of the URL (\"%E9\").");
    } else if (byte == 0 && !nul) {
      nul = true;
      findings.add(Code::nul_byte, line.number, line.column(at),
                   "There is a NUL byte in " + quoted(around(text, at)) +
                       "; some robots stop reading the line there, others drop the byte.",
                   "Delete the byte.");
    } else if (byte != 0 && byte != '\t' && (byte < 0x20 || byte == 0x7F) && !control) {
      control = true;
      findings.add(Code::control_byte, line.number, line.column(at),
                   "There is a control character in " + quoted(around(text, at)) + ".", "Delete the character.");
    }
    at += c.size;
  }
}

}  // namespace robotrules::core
