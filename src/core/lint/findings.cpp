#include "core/lint/findings.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/escape.hpp"
#include "base/sort.hpp"
#include "base/utf8.hpp"

namespace robotrules::core {
namespace {

constexpr std::size_t most_of_a_fragment = 80;
constexpr std::size_t max_silenced = 10'000;

// Characters that draw nothing or turn the line around.
constexpr bool is_hidden(std::uint32_t c) noexcept { return c < 0x20 || (c >= 0x7F && c <= 0x9F) || is_deceptive(c); }

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

void Findings::silence(std::uint32_t line, std::string_view code) {
  if (silenced_.size() < max_silenced) silenced_.emplace(line, code);
}

bool Findings::is_silenced(const Diagnostic& finding) const {
  const auto contains = [&](std::uint32_t line) {
    return silenced_.contains(std::pair<std::uint32_t, std::string>(line, finding.code));
  };
  return !silenced_.empty() && (contains(0) || contains(finding.line));
}

void Findings::add(Code code, std::uint32_t line, std::uint32_t column, std::string message, std::string remedy,
                   std::vector<LineEdit> edits, std::optional<Severity> severity) {
  Tally& tally = tallies_[static_cast<std::size_t>(code)];
  if (tally.count++ >= max_per_code) {
    if (tally.first_left_out == 0 || line < tally.first_left_out) tally.first_left_out = line;
    return;
  }
  const DiagnosticCode& known = diagnostic_codes()[static_cast<std::size_t>(code)];
  found_.push_back({known.code, severity.value_or(known.severity), line, column, std::move(message), std::move(remedy),
                    std::move(edits)});
}

std::vector<Diagnostic> Findings::take() {
  for (std::size_t i = 0; i < code_count; ++i) {
    const Tally& tally = tallies_[i];
    if (tally.count <= max_per_code || i == static_cast<std::size_t>(Code::more_findings)) continue;
    if (silenced_.contains(std::pair<std::uint32_t, std::string>(0, diagnostic_codes()[i].code))) continue;
    add(Code::more_findings, tally.first_left_out, 1,
        std::to_string(tally.count - max_per_code) + " more findings of " + quoted(diagnostic_codes()[i].code) +
            " are not listed.",
        "Fix the listed findings and check again.");
  }
  std::erase_if(found_, [this](const Diagnostic& finding) { return is_silenced(finding); });
  base::sort(found_, [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.line, a.column, a.code, a.message) < std::tie(b.line, b.column, b.code, b.message);
  });
  return std::move(found_);
}

}  // namespace robotrules::core
