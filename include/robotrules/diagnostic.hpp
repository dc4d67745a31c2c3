// Diagnostic: something odd in a robots.txt, with its place and its remedy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace robotrules {

enum class Severity : std::uint8_t {
  error,    // robots will not do what the line seems to ask
  warning,  // robots differ over it, or it has no effect
  note,     // unusual and harmless
};
std::string_view to_string(Severity severity) noexcept;

// One finding. `code` is stable ("missing-colon"): docs/lint/CODE.md explains it. `message` is a sentence that names
// the fragment (escaped, cut at 80 octets), `remedy` says what to write. Lines and columns count from 1; line 0 is the
// file as a whole.
struct Diagnostic {
  std::string_view code;
  Severity severity = Severity::note;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;
  std::string remedy;
};

// Every code with its severity and one line of what it means; the span lives for ever.
struct DiagnosticCode {
  std::string_view code;
  Severity severity;
  std::string_view summary;
};
std::span<const DiagnosticCode> diagnostic_codes() noexcept;

}  // namespace robotrules
