// The progress of a long command, shown only on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace robotrules::cli {

// Returns "[####......]  42 %  123456 records", at most `columns` characters; without the bar if `all` is 0 or the line
// is short.
std::string progress_line(std::uint64_t done, std::uint64_t all, std::string_view what, std::size_t columns);

// A line on standard error that is redrawn ten times per second.
class Progress {
 public:
  // Draws nothing if `quiet` is set or standard error is not a terminal on which the cursor can be moved.
  explicit Progress(bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Returns true if it is time to draw. Cheap.
  bool is_due();
  void draw(std::uint64_t done, std::uint64_t all, std::string_view what);
  // Erases the line, before other output or the end of the command.
  void clear();

 private:
  bool shows_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace robotrules::cli
