// Where results and messages go. Results: standard output. Everything else: standard error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

// "robotrules COMMAND: MESSAGE" on standard error; `message` may have several lines and must be printable. Any thread.
void complain(std::string_view command, std::string_view message);

// Text on standard error as it is, above the footer if there is one. Any thread.
void say(std::string_view text);

// Lines that stay below all that complain() and say() write, drawn over themselves; none takes them away. Only where
// can_redraw(), and each of printable ASCII and shorter than the terminal is wide. Any thread.
void set_footer(std::vector<std::string> lines);

// True where standard error is a terminal on which the cursor can be moved.
bool can_redraw();

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
// Of standard error, as it is now; 80 by 24 where it does not say.
TerminalSize terminal_size();

}  // namespace robotrules::cli
