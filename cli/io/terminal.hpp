// Output: results on standard output, everything else on standard error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/colours.hpp"

namespace robotrules::cli {

// The exit statuses of every command.
enum ExitStatus : int {
  exit_yes = 0,
  exit_no = 1,
  exit_error = 2,
  exit_incomplete = 3,
  exit_left_out = 4,
  exit_closed = 141
};

// Opens those of the descriptors 0 to 2 that are closed, so that no other file gets their numbers and receives
// messages. Standard input is opened for writing and the outputs for reading, so that using them still fails.
void hold_standard_descriptors() noexcept;

// Writes all of `bytes`; waits if a non-blocking descriptor is full. Returns 0, or the errno of the failed call.
int try_write(int descriptor, std::string_view bytes) noexcept;

// Writes results. If their reader has closed the pipe (EPIPE), ends the process with status 141, as SIGPIPE would. If
// writing fails for another reason, prints a sentence and ends the process with status 2.
void write_all(int descriptor, std::string_view bytes);

// Writes to standard error. A message that cannot be written is lost; the command continues.
void write_message(std::string_view text) noexcept;

// Buffered results on standard output; the destructor flushes.
class Output {
 public:
  Output() = default;
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& operator<<(std::string_view text);
  void flush();

  // Returns the text as standard output shows it (colours.hpp).
  std::string painted(Style style, std::string_view text) const { return results_paint()(style, text); }

  // Returns one line of text as standard output shows it: a terminal gets lines that fit, broken between words
  // (text.hpp). `at`: the column where the text begins.
  std::string fitted_line(std::string_view text, std::size_t indent, std::size_t at = 0) const;

 private:
  std::string held_;
};

// Prints "robotrules COMMAND: MESSAGE" on standard error. `message` may have several lines and must be printable; it
// begins with "note: ", "warning: " or the sentence. Any thread may call it.
void complain(std::string_view command, std::string_view message);

// Does the same for an error.
void report_error(std::string_view command, std::string_view message);

// Does the same for an error that ends the command. `message` may have any bytes and is printed as one line. Returns
// the exit status.
int refuse(std::string_view command, std::string_view message);

// Call after bytes that do not pass through Output were written to standard output, with the last one. If standard
// error is the same terminal or file, the next message begins on a line of its own.
void note_results_end(char last);

// Prints text on standard error unchanged, above the footer if there is one. Any thread may call it.
void say(std::string_view text);

// Sets the lines below the output of complain() and say(); an empty list removes them. Each line must be printable
// ASCII, apart from colours, and shorter than the terminal is wide. Any thread may call it. Precondition: can_redraw().
void set_footer(std::vector<std::string> lines);

// Returns true if standard error is a terminal on which the cursor can be moved.
bool can_redraw();

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
// Returns the current size of the terminal on that descriptor; 80 by 24 if it is unknown or there is no terminal.
TerminalSize terminal_size(int descriptor);

}  // namespace robotrules::cli
