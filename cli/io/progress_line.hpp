// How far a long command is, on a terminal and nowhere else.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace robotrules::cli {

// "[####......]  42 %  123456 records", in one line of at most `columns` characters; no bar where `all` is 0 or the
// line is short.
std::string progress_line(std::uint64_t done, std::uint64_t all, std::string_view what, std::size_t columns);

// A line on standard error that is drawn over itself ten times a second.
class Progress {
 public:
  // Nothing is drawn where it is `quiet`, standard error is no terminal, or the terminal is a dumb one.
  explicit Progress(bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // True where it is time to draw: so that asking costs little.
  bool is_due();
  void draw(std::uint64_t done, std::uint64_t all, std::string_view what);
  // Takes the line away, before something else is written or the command ends.
  void clear();

 private:
  bool shows_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace robotrules::cli
