// Where results and messages go. Results: standard output. Everything else: standard error.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::cli {

// What every command ends with.
enum ExitStatus : int { exit_yes = 0, exit_no = 1, exit_error = 2 };

// Writes all of `octets` to the descriptor. Where the reader has gone away (EPIPE) the process ends at once with
// status 0: "head" has seen enough. Where the write fails otherwise it ends with a sentence and status 2.
void write_all(int descriptor, std::string_view octets);

// Results on standard output, collected and written in large pieces; flushed when destroyed.
class Output {
 public:
  Output();
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& operator<<(std::string_view text);
  void flush();

  // Text in a colour, where standard output is a terminal and NO_COLOR is not set; else the text alone.
  enum class Colour { bold, red, green, yellow, cyan };
  std::string coloured(Colour colour, std::string_view text) const;

 private:
  std::string held_;
  bool colours_;
};

// "robotrules COMMAND: MESSAGE" on standard error; `message` may have several lines and must be printable.
void complain(std::string_view command, std::string_view message);

}  // namespace robotrules::cli
