// Any lines as questions to `batch`: one answer a line, in order, each a JSON object, the same when asked again.
//
// Input: lines.
#include <string>

#include <nlohmann/json.hpp>

#include "cli/batch/answerer.hpp"
#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robotrules;
  using namespace robotrules::fuzz;
  static const cli::BatchDefaults defaults{.agent = "FooBot", .header = "FooBot", .dialect = &Dialect::rfc9309()};
  static cli::Library library(cli::Library::Names::none, {}, 1 << 20);
  static cli::Answerer answerer(defaults, library);  // used from line to line, as the command does

  Input input(data, size);
  std::uint64_t number = 0;
  while (!input.empty()) {
    std::string line(input.line());
    const std::size_t length = line.size();
    line.append(cli::QuestionReader::padding, '\0');
    ++number;
    std::string out = "before\n";
    const bool answered = answerer.answer(std::string_view(line).substr(0, length), number, out);
    require(out.starts_with("before\n"), "answers are appended");
    const std::string answer = out.substr(7);
    require(answer.size() > 1 && answer.ends_with('\n'), "an answer ends its line");
    require(answer.find('\n') == answer.size() - 1, "and is one line");
    const auto json = nlohmann::json::parse(answer, nullptr, false);
    // This parser refuses numbers beyond a double (1e999), which batch carries through.
    if (json.is_discarded() && answered && !nlohmann::json::accept(line.substr(0, length))) continue;
    require(json.is_object(), "an answer is a JSON object");
    require(json.contains(answered ? "access" : "error"), "with an access or an error");
    if (!answered) require(json["input_line"] == number, "and an error names its line");
    if (answered) {
      const auto& access = json["access"];
      require(access == "allowed" || access == "disallowed" || access == "unknown", "access is one of three words");
      require(json["line"].is_number_unsigned(), "line is a number");
    }
    std::string again;
    require(answerer.answer(std::string_view(line).substr(0, length), number, again) == answered && again == answer,
            "the same question has the same answer");
  }
  return 0;
}
