// Where results and messages go. Results: standard output. Everything else: standard error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::cli {

// What every command ends with.
enum ExitStatus : int { exit_yes = 0, exit_no = 1, exit_error = 2, exit_closed = 141 };

// Opens each of the descriptors 0 to 2 that is closed, so that no file gets its number and messages in its place. It is
// opened the wrong way round: to read results from and to write input to, so that its use still fails.
void hold_standard_descriptors() noexcept;

// Writes all of `bytes`; waits while a non-blocking descriptor takes no more. Returns 0, or the errno of what failed.
int try_write(int descriptor, std::string_view bytes) noexcept;

// Writes results. If their reader has gone away (EPIPE), the process ends at once with status 141, as SIGPIPE would end
// it. If the write fails otherwise, the process ends with a sentence and status 2.
void write_all(int descriptor, std::string_view bytes);

// Writes to standard error. A message that cannot be written is lost, and nothing else: the command goes on.
void write_message(std::string_view text) noexcept;

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
