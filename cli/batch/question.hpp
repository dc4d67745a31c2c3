// A line of batch's input: a JSON object, parsed in place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace robotrules::cli {

// The members that batch reads; a null member counts as absent. Views are valid until the reader's next line.
struct Question {
  std::optional<std::string_view> url, agent, robots, robots_b64, host, dialect;
};

// Reads lines, without allocations after its buffers have grown. The whole line is checked against the grammar of JSON,
// so that copied members are valid JSON; numbers of any size are copied unchanged.
class QuestionReader {
 public:
  // Bytes that must be readable after every line.
  static constexpr std::size_t padding = simdjson::SIMDJSON_PADDING;

  QuestionReader();

  // Returns an empty string if `line` is a question, else a sentence that says what is wrong. If a member is given
  // twice, the last one counts.
  std::string read(std::string_view line, Question& question);

  // Appends the object just read without its closing brace and without the members that an answer adds (access, line,
  // rule, rule_b64, robot), followed by "," if it has members.
  void append_members(std::string& out) const;

 private:
  struct Member {
    const char* begin;  // the quote of its name
    bool replaced;
  };

  simdjson::ondemand::parser parser_;
  std::vector<Member> members_;
  std::string_view object_;  // from "{" up to "}", which is left out
  bool any_replaced_ = false;
};

}  // namespace robotrules::cli
