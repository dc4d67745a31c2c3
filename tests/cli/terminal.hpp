// The command on a terminal: a pseudo terminal to run it on, and what a screen would show of what it writes.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::test {

// Lines that scroll away are kept. Knows what the command writes: CR, LF, ESC [ n A, ESC [ K, ESC [ J, and colours,
// which it leaves out; anything else that begins with ESC is an error of the test.
class Screen {
 public:
  Screen(std::size_t columns, std::size_t rows) : columns_(columns), rows_(rows), lines_(1) {}
  void write(std::string_view bytes);
  // Without spaces at their ends, and without empty ones at the end.
  std::vector<std::string> lines() const;
  std::string text() const;
  // A character was written to the last column or beyond, or what was written is not understood.
  bool overran() const { return overran_; }
  bool confused() const { return confused_; }

 private:
  void escape(char command, std::size_t number);

  std::size_t columns_;
  std::size_t rows_;
  std::vector<std::string> lines_;
  std::size_t row_ = 0;  // of all lines
  std::size_t column_ = 0;
  std::string held_;  // an escape sequence that is not whole
  bool overran_ = false;
  bool confused_ = false;
};

struct OnTerminal {
  int status = -1;
  std::string written;  // all bytes
  Screen screen;
};

// Typed, it hangs the terminal up.
inline constexpr std::string_view hang_up = "hang up";

// Runs `robotrules WORDS...` with standard error (and `out_too`: output) on a terminal of that size. `saw` is called
// with the screen whenever something has been written, and answers what is typed. `process` gets the id of the process.
// `term` is the value of TERM.
OnTerminal run_on_terminal(const std::vector<std::string>& words, std::size_t columns, std::size_t rows,
                           const std::function<std::string(const Screen&)>& saw, bool out_too = false,
                           pid_t* process = nullptr, const char* term = "xterm");

}  // namespace robotrules::test
