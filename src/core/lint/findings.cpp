#include "core/lint/findings.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/escape.hpp"
#include "base/utf8.hpp"

namespace robotrules::core {
namespace {

constexpr std::size_t most_of_a_fragment = 80;

// Characters that draw nothing or turn the line around.
constexpr bool is_hidden(std::uint32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xA0 || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < most_of_a_fragment) {
    const base::Utf8Character c = base::utf8_at(text, at);
    if (at + c.size > most_of_a_fragment) break;
    const std::string_view bytes = text.substr(at, c.size);
    if (!c.valid || is_hidden(c.value)) {
      base::append_escaped(out, bytes);
    } else {
      if (c.value == '"' || c.value == '\\') out += '\\';
      out += bytes;
    }
    at += c.size;
  }
  out += at < text.size() ? "...\"" : "\"";
  return out;
}

void Findings::add(Code code, std::uint32_t line, std::uint32_t column, std::string message, std::string remedy) {
  Tally& tally = tallies_[static_cast<std::size_t>(code)];
  if (tally.count++ >= max_per_code) {
    if (tally.first_left_out == 0 || line < tally.first_left_out) tally.first_left_out = line;
    return;
  }
  const DiagnosticCode& known = diagnostic_codes()[static_cast<std::size_t>(code)];
  found_.push_back({known.code, known.severity, line, column, std::move(message), std::move(remedy)});
}

std::vector<Diagnostic> Findings::take() {
  for (std::size_t i = 0; i < code_count; ++i) {
    const Tally& tally = tallies_[i];
    if (tally.count <= max_per_code || i == static_cast<std::size_t>(Code::more_findings)) continue;
    add(Code::more_findings, tally.first_left_out, 1,
        std::to_string(tally.count - max_per_code) + " more findings of " + quoted(diagnostic_codes()[i].code) +
            " are not listed.",
        "Fix the listed findings and check again.");
  }
  std::sort(found_.begin(), found_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.line, a.column, a.code, a.message) < std::tie(b.line, b.column, b.code, b.message);
  });
  return std::move(found_);
}

}  // namespace robotrules::core
