#include "cli/get/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

namespace robotrules::cli {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;
volatile std::sig_atomic_t first_signal = 0;

// Returns whether the process has a controlling terminal. After the terminal has gone, it has none.
bool has_terminal() {
  const int terminal = ::open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (terminal >= 0) ::close(terminal);
  return terminal >= 0;
}

}  // namespace

// The signals are blocked in all threads, so that they interrupt no system call.
RunSignals::RunSignals() : had_terminal_(has_terminal()) {
  sigemptyset(&taken_);
  for (const int signal : {SIGHUP, SIGUSR1, SIGUSR2}) {
    struct sigaction present = {};
    if (::sigaction(signal, nullptr, &present) == 0 && present.sa_handler != SIG_IGN) sigaddset(&taken_, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &taken_, nullptr);
}

RunSignals::Event RunSignals::take() {
  constexpr std::chrono::seconds watch_for{2};
  constexpr timespec at_once{};
  const int signal = ::sigtimedwait(&taken_, nullptr, &at_once);
  const bool is_hangup = signal == SIGHUP;
  if (had_terminal_ && (is_hangup || std::chrono::steady_clock::now() < watch_until_) && !has_terminal()) {
    had_terminal_ = false;
    return Event::terminal_gone;
  }
  if (is_hangup && had_terminal_) watch_until_ = std::chrono::steady_clock::now() + watch_for;
  if (signal == SIGUSR2) return Event::tell_state;
  return is_hangup || signal == SIGUSR1 ? Event::reopen_log : Event::none;
}

void count_interrupt(int signal) noexcept {
  if (interrupt_count > 0) ::_exit(exit_interrupted());  // whatever the threads do
  if (interrupt_count == 0) first_signal = signal;
  interrupt_count = interrupt_count + 1;
}

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = count_interrupt;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

int interrupts() noexcept { return interrupt_count; }
int first_interrupt() noexcept { return first_signal; }
int exit_interrupted() noexcept { return 128 + first_interrupt(); }

}  // namespace robotrules::cli
