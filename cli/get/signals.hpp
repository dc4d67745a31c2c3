// The signals of a run of `robotrules get`: those that end it, and the one that makes it open its log again.
#pragma once

#include <chrono>

namespace robotrules::cli {

// SIGHUP comes from a log rotation, or from the kernel and the shell when the terminal has gone. Make one object,
// before any thread starts. Thread rule: one thread.
class Hangups {
 public:
  enum class Event { none, reopen, terminal_gone };

  // From now on SIGHUP waits for take(). If the process ignores it, as under nohup, it stays ignored.
  Hangups();
  // Returns what has happened since the last call. The terminal may go a moment after SIGHUP: some shells send the
  // signal before they end. So call it several times per second.
  Event take();

 private:
  bool is_taken_;
  bool had_terminal_;
  std::chrono::steady_clock::time_point watch_until_{};  // for the terminal to go
};

// Counts SIGINT and SIGTERM from now on as interrupts. The first interrupt asks for the end of the run. The second one
// ends the process in the signal handler, and leaves what kill -9 leaves.
void catch_interrupts();
// Counts another signal as an interrupt.
void count_interrupt(int signal) noexcept;
// Returns the number of interrupts.
int interrupts() noexcept;
// Returns the signal of the first interrupt; 0: there was none.
int first_interrupt() noexcept;
// Returns the exit status after an interrupt, as shells and systemd know it: 130 after SIGINT, 143 after SIGTERM.
int exit_interrupted() noexcept;

}  // namespace robotrules::cli
