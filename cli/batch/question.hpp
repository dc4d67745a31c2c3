// One line of batch's input: a JSON object, read in place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace robotrules::cli {

// The members that batch reads; absent and null are the same. Views live until the reader's next line.
struct Question {
  std::optional<std::string_view> url, agent, robots, robots_b64, host, dialect;
};

// Reads lines one after another, without an allocation once its buffers have grown. The whole line is checked against
// the grammar of JSON, so that what is carried through is JSON too; numbers of any size are carried as they stand.
class QuestionReader {
 public:
  // Octets that must be readable behind every line.
  static constexpr std::size_t padding = simdjson::SIMDJSON_PADDING;

  QuestionReader();

  // Empty where `line` is a question, else a sentence that says what is wrong with it. Of a member given twice the
  // last counts.
  std::string read(std::string_view line, Question& question);

  // Appends the object just read without its closing brace and without the members that an answer adds (access, line,
  // rule, rule_b64, robot), and "," where another member may follow.
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
