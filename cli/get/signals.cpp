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

sigset_t only_hangup() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

// The signal is blocked in all threads, so that it interrupts no system call.
Hangups::Hangups() : had_terminal_(has_terminal()) {
  struct sigaction present = {};
  is_taken_ = ::sigaction(SIGHUP, nullptr, &present) == 0 && present.sa_handler != SIG_IGN;
  const sigset_t hangup = only_hangup();
  if (is_taken_) ::pthread_sigmask(SIG_BLOCK, &hangup, nullptr);
}

Hangups::Event Hangups::take() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds watch_for{2};
  if (!is_taken_) return Event::none;
  const sigset_t hangup = only_hangup();
  constexpr timespec at_once{};
  const bool came = ::sigtimedwait(&hangup, nullptr, &at_once) == SIGHUP;
  if (had_terminal_ && (came || Clock::now() < watch_until_) && !has_terminal()) {
    had_terminal_ = false;
    return Event::terminal_gone;
  }
  if (!came) return Event::none;
  if (had_terminal_) watch_until_ = Clock::now() + watch_for;
  return Event::reopen;
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
