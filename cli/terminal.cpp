#include "cli/terminal.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "cli/text.hpp"

namespace robotrules::cli {

void write_all(int descriptor, std::string_view octets) {
  while (!octets.empty()) {
    const ssize_t written = ::write(descriptor, octets.data(), octets.size());
    if (written >= 0) {
      octets.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN) {  // somebody made the pipe non-blocking
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
      continue;
    }
    if (errno == EPIPE) std::_Exit(exit_yes);
    if (descriptor != STDERR_FILENO) {
      complain("", "cannot write the results: " + error_text(errno));
    }
    std::_Exit(exit_error);
  }
}

Output::Output() {
  const char* no_colour = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): no thread runs yet
  colours_ = ::isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0');
}

Output& Output::operator<<(std::string_view text) {
  held_ += text;
  if (held_.size() >= std::size_t{64} * 1024) flush();
  return *this;
}

void Output::flush() {
  write_all(STDOUT_FILENO, held_);
  held_.clear();
}

std::string Output::coloured(Colour colour, std::string_view text) const {
  if (!colours_) return std::string(text);
  constexpr const char* codes[] = {"1", "31", "32", "33", "36"};
  return std::string("\x1B[") + codes[static_cast<int>(colour)] + "m" + std::string(text) + "\x1B[0m";
}

void complain(std::string_view command, std::string_view message) {
  std::string text = "robotrules";
  if (!command.empty()) text.append(" ").append(command);
  text.append(": ").append(message).append("\n");
  write_all(STDERR_FILENO, text);
}

}  // namespace robotrules::cli
