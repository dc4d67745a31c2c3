// Answers for the lines of batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>

#include "cli/batch/question.hpp"
#include "cli/batch/robots_library.hpp"

namespace robotrules::cli {

// Defaults from the command line for members that a question leaves out.
struct BatchDefaults {
  std::string agent;
  std::string header;  // the value of --agent, from which `agent` was taken
  const Dialect* dialect;
};

// Longer lines are not read and are answered by an error.
inline constexpr std::size_t max_question_bytes = std::size_t{16} << 20;

// Answers questions. Thread rule: one object per thread; the library is shared. In the steady state a line needs no
// allocation and no lock, because recently compiled rules are kept here.
class Answerer {
 public:
  Answerer(const BatchDefaults& defaults, Library& library);

  // Appends the answer to `line`, with its line end. `number` counts from 1. QuestionReader::padding bytes after the
  // line must be readable. Returns false if the answer is an error.
  bool answer(std::string_view line, std::uint64_t number, std::string& out);

  // Appends `{"error": ..., "input_line": n}`.
  static void append_error(std::string& out, std::string_view error, std::uint64_t number);

 private:
  // A recently used robots.txt, in the slot of its key's hash. Not a base::EvictingMap: each line looks here, and a
  // look-up there takes twice the time (290 ns, here 150 ns).
  struct Recent {
    std::size_t hash = 0;
    std::shared_ptr<const Compiled> compiled;
  };

  // These return false or null and set `error_` if there is no answer.
  bool answer_question(std::string_view line, std::string& out);
  std::string_view robot_of(std::string_view agent);
  const Compiled* find(const Question& question, const Dialect& dialect, std::string_view agent);
  const Compiled* find_inline(std::string_view robots, const Dialect& dialect, std::string_view agent);
  const Compiled* find_file(const Question& question, const Dialect& dialect, std::string_view agent);
  bool take_host(const Question& question);    // sets host_ to the name of the file
  bool take_origin(const Question& question);  // the same for a database
  void keep(Recent& slot, std::size_t hash);

  const BatchDefaults& defaults_;
  Library& library_;
  QuestionReader reader_;
  std::vector<Recent> recent_;
  std::size_t recent_bytes_ = 0;
  std::shared_ptr<const Compiled> held_;  // the last one that was not in `recent_`

  // The last file contained in a question. A stream about one site repeats it, and comparing is cheaper than
  // hashing, which would cost about as much as compiling.
  std::string inline_robots_;
  std::string inline_agent_;
  std::string inline_url_;
  const Dialect* inline_dialect_ = nullptr;
  Compiled inline_compiled_;

  // The last User-Agent header in a question, and its robot.
  std::string header_;
  std::string robot_;

  std::string_view url_;  // of the current question
  // Buffers, reused for every line.
  std::string error_;
  std::string key_;
  std::string host_;
  std::string robots_url_;
  std::string decoded_;
  std::string scratch_;
};

}  // namespace robotrules::cli
