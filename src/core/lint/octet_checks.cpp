#include <string>

#include "base/utf8.hpp"
#include "core/lint/checks.hpp"

namespace robotrules::core {
namespace {

constexpr std::size_t long_line = 2'083;        // URLs beyond this are cut or refused in many places
constexpr std::size_t over_long_line = 16'663;  // octets of a line that Google's parser keeps

// What surrounds an octet, for the message.
std::string_view around(std::string_view text, std::size_t at) noexcept {
  const std::size_t begin = at < 20 ? 0 : at - 20;
  return text.substr(begin, 40);
}

}  // namespace

void check_octets(const LintLine& line, Findings& findings) {
  const std::string_view text = line.text;
  if (text.size() > over_long_line) {
    findings.add(Code::over_long_line, line.number, line.column(over_long_line),
                 "The line has " + std::to_string(text.size()) +
                     " octets; Google's parser reads the first 16,663 and takes them for the whole value.",
                 "Shorten the value, or write several lines.");
  } else if (text.size() > long_line) {
    findings.add(Code::long_line, line.number, line.column(long_line),
                 "The line has " + std::to_string(text.size()) + " octets; no usual URL is longer than 2,083.",
                 "Cut the path where it tells enough: a rule matches whatever begins with it.");
  }

  bool invalid = false, nul = false, control = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto octet = static_cast<unsigned char>(text[at]);
    if (octet >= 0x20 && octet < 0x7F) {
      ++at;
      continue;
    }
    const base::Utf8Character c = base::utf8_at(text, at);
    if (!c.valid && !invalid) {
      invalid = true;
      findings.add(Code::invalid_utf8, line.number, line.column(at),
                   quoted(around(text, at)) + " holds octets that are not UTF-8; robots read them differently.",
                   "Save the file as UTF-8, or percent-encode the octets of the URL (\"%E9\").");
    } else if (octet == 0 && !nul) {
      nul = true;
      findings.add(Code::nul_octet, line.number, line.column(at),
                   "There is a NUL octet in " + quoted(around(text, at)) +
                       "; some robots stop reading the line there, others drop it.",
                   "Delete the octet.");
    } else if (octet != 0 && octet != '\t' && (octet < 0x20 || octet == 0x7F) && !control) {
      control = true;
      findings.add(Code::control_octet, line.number, line.column(at),
                   "There is a control octet in " + quoted(around(text, at)) + ".", "Delete the octet.");
    }
    at += c.size;
  }
}

}  // namespace robotrules::core
