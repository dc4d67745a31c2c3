// The signals of a run of `robotrules get`: those that end it, and those that ask it for something.
#pragma once

#include <signal.h>

#include <chrono>

namespace robotrules::cli {

// SIGHUP comes from a log rotation, or from the kernel and the shell when the terminal has gone. SIGUSR1 asks for the
// log to be opened again, SIGUSR2 for the state of the crawl. Make one object, before any thread starts. Thread rule:
// one thread.
class RunSignals {
 public:
  enum class Event { none, reopen_log, tell_state, terminal_gone };

  // From now on these signals wait for take(). Those that the process ignores, as SIGHUP under nohup, stay ignored.
  RunSignals();
  // Returns what has happened since the last call. The terminal may go a moment after SIGHUP: some shells send the
  // signal before they end. So call it several times per second.
  Event take();

 private:
  sigset_t taken_;
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
