// Any bytes through the diagnostics: each finding has a place in the file, a known code and a clean sentence, and they
// come in order.
//
// Input: a byte for the dialect, the file.
#include <algorithm>
#include <string>

#include <robotrules/core.hpp>
#include <robotrules/diagnose.hpp>

#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robotrules;
  using namespace robotrules::fuzz;
  Input input(data, size);
  const Dialect dialect = dialect_of(input.byte());
  const RobotsTxt file = RobotsTxt::parse(input.rest(), dialect, "https://foo.example/robots.txt");
  const auto codes = diagnostic_codes();
  const auto clean = [](const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < 32) || c == 127; });
  };
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  const LintOptions options{.robots = {{"Googlebot", KnownRobot::Kind::search}, {"GPTBot", KnownRobot::Kind::ai}}};
  for (const Diagnostic& found : diagnose(file, options)) {
    // A file that was cut may be told so at the line behind its last.
    require(found.line <= file.line_count() + 1, "findings lie in the file");
    require(found.line > line || (found.line == line && found.column >= column), "findings are in order");
    line = found.line;
    column = found.column;
    const auto known =
        std::find_if(codes.begin(), codes.end(), [&](const DiagnosticCode& one) { return one.code == found.code; });
    require(known != codes.end(), "the code is in the table");
    require(known->severity <= found.severity, "and is not graver than its code");
    require(!found.message.empty() && clean(found.message), "the message is a clean sentence");
    require(!found.remedy.empty() && clean(found.remedy), "and so is the remedy");
    require(found.message.size() <= 2'000, "the fragment is cut");
    for (const LineEdit& edit : found.edits) {
      require(edit.line >= 1 && edit.line <= file.line_count(), "edits are of lines of the file");
      for (const std::string& text : edit.lines) {
        require(text.find_first_of("\r\n") == std::string::npos, "an edit writes whole lines");
      }
    }
    if (!found.edits.empty()) RobotsTxt::parse(with_edits(file.text(), found.edits), dialect);
  }
  return 0;
}
