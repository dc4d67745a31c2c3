#include "cli/io/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "base/escape.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

struct Footer {
  std::mutex mutex;
  std::vector<std::string> lines;  // as drawn; the cursor is at the begin of the last one
  std::size_t columns = 0;         // of the terminal when they were drawn
  bool line_is_open = false;       // the results end within a line, and messages go to the same place
};
Footer& footer() {
  static Footer* const one = new Footer;  // never destroyed, because threads may complain until the end
  return *one;
}

// The process went on after a stop (Ctrl-Z and fg). The shell has written below the footer, so the footer is drawn
// there.
std::atomic<bool> was_continued = false;

bool watch_for_continuing() {
  struct sigaction action = {};
  action.sa_handler = [](int) { was_continued = true; };
  action.sa_flags = SA_RESTART;
  return ::sigaction(SIGCONT, &action, nullptr) == 0;
}

// Returns the text that moves the cursor to the begin of the first line. If the terminal's width has changed, the lines
// were wrapped again, and the text also erases them.
std::string back_over(Footer& footer) {
  if (was_continued.exchange(false)) footer.lines.clear();
  if (footer.lines.empty()) return {};
  const std::size_t columns = terminal_size(STDERR_FILENO).columns;
  std::size_t up = 0;
  for (std::size_t i = 0; i + 1 < footer.lines.size(); ++i) {
    up += std::max<std::size_t>(1, (plain_size(footer.lines[i]) + columns - 1) / columns);
  }
  std::string text = up == 0 ? "\r" : "\r\x1b[" + std::to_string(up) + "A";
  if (std::exchange(footer.columns, columns) != columns) text += "\x1b[J";
  return text;
}

std::string drawn(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text.append(i == 0 ? "" : "\n").append(lines[i]).append("\x1b[K");
  return text + "\x1b[J\r";
}

// Prints "robotrules COMMAND: MESSAGE" with the name in that style.
void print_message(std::string_view command, Style style, std::string_view message) {
  const Paint& paint = messages_paint();
  const std::string name = "robotrules" + (command.empty() ? "" : " " + std::string(command)) + ":";
  std::string text = paint(style, name) + " ";
  constexpr std::pair<std::string_view, Style> labels[] = {{"note:", Style::note}, {"warning:", Style::mixed}};
  for (const auto& [label, its_style] : labels) {
    if (!message.starts_with(label)) continue;
    text += paint(its_style, label);
    message.remove_prefix(label.size());
  }
  say(text.append(message).append("\n"));
}

}  // namespace

void hold_standard_descriptors() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // gets the lowest free number
  }
}

int try_write(int descriptor, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return errno;
    pollfd ready{descriptor, POLLOUT, 0};  // another process made the pipe non-blocking
    ::poll(&ready, 1, -1);
  }
  return 0;
}

void write_all(int descriptor, std::string_view bytes) {
  const int error = try_write(descriptor, bytes);
  if (error == 0) return;
  if (error == EPIPE) std::_Exit(exit_closed);
  report_error("", "cannot write the results: " + error_text(error));
  std::_Exit(exit_error);
}

void write_message(std::string_view text) noexcept { try_write(STDERR_FILENO, text); }

Output& Output::operator<<(std::string_view text) {
  held_ += text;
  if (held_.size() >= std::size_t{64} * 1024) flush();
  return *this;
}

void Output::flush() {
  write_all(STDOUT_FILENO, held_);
  held_.clear();
}

std::string Output::fitted_line(std::string_view text, std::size_t indent, std::size_t at) const {
  static const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  if (!is_terminal) return std::string(text);
  return wrapped(text, terminal_size(STDOUT_FILENO).columns, indent, at);
}

void complain(std::string_view command, std::string_view message) { print_message(command, Style::heading, message); }

void report_error(std::string_view command, std::string_view message) { print_message(command, Style::bad, message); }

int refuse(std::string_view command, std::string_view message) {
  report_error(command, base::printable(message));
  return exit_error;
}

void say(std::string_view text) {
  Footer& below = footer();
  const std::lock_guard lock(below.mutex);
  if (std::exchange(below.line_is_open, false)) write_message("\n");
  if (below.lines.empty()) return write_message(text);
  write_message(back_over(below) + "\x1b[J" + std::string(text) + drawn(below.lines));
}

void note_results_end(char last) {
  static const bool shared = [] {
    struct stat results{};
    struct stat messages{};
    return fstat(STDOUT_FILENO, &results) == 0 && fstat(STDERR_FILENO, &messages) == 0 &&
           results.st_dev == messages.st_dev && results.st_ino == messages.st_ino;
  }();
  Footer& below = footer();
  const std::lock_guard lock(below.mutex);
  below.line_is_open = shared && last != '\n';
}

void set_footer(std::vector<std::string> lines) {
  Footer& below = footer();
  const std::lock_guard lock(below.mutex);
  if (lines.empty() && below.lines.empty()) return;
  [[maybe_unused]] static const bool watches = watch_for_continuing();
  const std::string back = back_over(below);
  if (below.lines.empty()) below.columns = terminal_size(STDERR_FILENO).columns;
  below.lines = std::move(lines);
  write_message(back + drawn(below.lines));
}

bool can_redraw() {
  const char* const term = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): no thread changes it
  return ::isatty(STDERR_FILENO) == 1 && term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
}

TerminalSize terminal_size(int descriptor) {
  winsize known{};
  TerminalSize size;
  if (::ioctl(descriptor, TIOCGWINSZ, &known) != 0) return size;
  if (known.ws_col > 0) size.columns = known.ws_col;
  if (known.ws_row > 0) size.rows = known.ws_row;
  return size;
}

}  // namespace robotrules::cli
