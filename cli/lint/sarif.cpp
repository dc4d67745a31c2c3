// SARIF 2.1.0 (OASIS): a log of findings that code scanners and editors read.
#include <algorithm>
#include <cstddef>
#include <string>

#include <robotrules/version.hpp>

#include "base/hex.hpp"
#include "base/utf8.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/lint/report.hpp"

namespace robotrules::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view level_of(Severity severity) { return to_string(severity); }  // the three have the same names in SARIF

// Returns a path as a URI reference: bytes that no URI may contain are percent-encoded.
std::string as_uri(std::string_view path) {
  constexpr std::string_view plain = "-._~/:?#[]@!$&'()*+,;=%";
  const bool url = path.find("://") != std::string_view::npos;
  std::string uri;
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool file_sign = c != '%' && c != '?' && c != '#' && c != '[' && c != ']' && c != ':';
    if (letter || (plain.find(c) != std::string_view::npos && (url || file_sign))) {
      uri += c;
    } else {
      base::append_percent(uri, c);
    }
  }
  return uri;
}

// Returns the text of a line, without its line end.
std::string_view line_of(std::string_view text, std::uint32_t number) {
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (line == number) return text.substr(0, end);
    text.remove_prefix(std::min(end + (text.substr(end, 2) == "\r\n" ? 2 : 1), text.size()));
  }
  return {};
}

// Returns the column in characters for one in bytes.
std::size_t column_in_characters(std::string_view line, std::uint32_t column) {
  std::size_t characters = 1;
  for (std::size_t at = 0; at + 1 < column && at < line.size(); ++characters) at += base::utf8_at(line, at).size;
  return characters;
}

Json rules() {
  Json rules = Json::array();
  for (const DiagnosticCode& code : diagnostic_codes()) {
    rules.push_back({{"id", code.code},
                     {"shortDescription", {{"text", code.summary}}},
                     {"help", {{"text", "robotrules lint --explain " + std::string(code.code)}}},
                     {"defaultConfiguration", {{"level", level_of(code.severity)}}}});
  }
  return rules;
}

// Returns the index of a code of diagnostic_codes() in rules().
std::ptrdiff_t index_of(std::string_view code) { return find_diagnostic_code(code) - diagnostic_codes().data(); }

}  // namespace

void SarifLog::add(const FileReport& report) {
  const Json artifact = {{"uri", report.path == "-" ? "stdin" : as_uri(report.path)}};
  for (const Shown& shown : report.shown) {
    const Diagnostic& found = shown.finding;
    Json place = {{"artifactLocation", artifact}};
    if (found.line > 0) {
      const std::string_view line = line_of(report.file.text(), found.line);
      place["region"] = {{"startLine", found.line},
                         {"startColumn", column_in_characters(line, std::max(found.column, 1u))}};
    }
    results_.push_back({{"ruleId", found.code},
                        {"ruleIndex", index_of(found.code)},
                        {"level", level_of(found.severity)},
                        {"message", {{"text", found.message + " " + found.remedy}}},
                        {"locations", Json::array({Json{{"physicalLocation", place}}})}});
  }
}

std::string SarifLog::text() const {
  const Json driver = {{"name", "robotrules"}, {"version", ROBOTRULES_VERSION}, {"rules", rules()}};
  const Json run = {{"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results_}};
  return json_document({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                        {"version", "2.1.0"},
                        {"runs", Json::array({run})}});
}

}  // namespace robotrules::cli
