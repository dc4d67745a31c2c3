// Runs the real command, as a shell would.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/folder.hpp"

namespace robotrules::test {

// Where the command is: the environment variable ROBOTRULES_COMMAND, else what was built.
std::string command_path();

struct Ran {
  int status = -1;  // exit status; 128 + signal where a signal ended it
  std::string out;
  std::string err;
  long max_rss_kib = 0;
};

// Runs `robotrules WORDS...` with `input` on standard input, to its end.
Ran run(const std::vector<std::string>& words, std::string_view input = {});

// The same with input that `more` makes piece by piece (an empty piece is the end) and output that `take` receives.
// `reluctant`: output is taken only while the process takes no more input, so that it holds as much as it ever will.
Ran run_stream(const std::vector<std::string>& words, const std::function<std::string()>& more,
               const std::function<void(std::string_view)>& take, bool reluctant = false);

// Where the process writes to: a pipe to the test, no descriptor at all, or that descriptor.
struct Streams {
  static constexpr int to_test = -1;
  static constexpr int closed = -2;
  int out = to_test;
  int err = to_test;
};

// A process that runs, with the pipes to it.
class Running {
 public:
  explicit Running(const std::vector<std::string>& words, Streams streams = {});
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  pid_t id() const { return pid_; }
  int in() const { return in_; }
  int out() const { return out_; }
  int err() const { return err_; }
  void close_in();
  void close_out();
  void signal(int number) const;
  // Reads standard error until that text has come; what was read. Throws where it ends without it.
  std::string read_err_until(std::string_view text) const;
  // Reads what is left of both to the end, then waits for it.
  Ran finish();
  // Waits for the end; fills status and max_rss_kib.
  void wait(Ran& ran);

 private:
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
};

// Runs it to its end; what goes elsewhere than to the test is not in the answer.
Ran run_with(Streams streams, const std::vector<std::string>& words, std::string_view input = {});

std::vector<std::string> lines_of(std::string_view text);

}  // namespace robotrules::test
