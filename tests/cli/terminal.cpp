#include "cli/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "cli/command.hpp"

namespace robotrules::test {

void Screen::write(std::string_view bytes) {
  for (const char c : bytes) {
    if (!held_.empty()) {
      held_ += c;
      if (held_.size() == 2 && c != '[') {
        confused_ = true;
        held_.clear();
      } else if (c >= '@' && c != '[') {
        escape(c, std::strtoul(held_.c_str() + 2, nullptr, 10));
        held_.clear();
      }
    } else if (c == '\x1b') {
      held_ = c;
    } else if (c == '\r') {
      column_ = 0;
    } else if (c == '\n') {
      ++row_;
      if (row_ == lines_.size()) lines_.emplace_back();
    } else if (c < ' ' || c == '\x7f') {
      confused_ = true;
    } else {
      if (column_ == columns_) {  // as a terminal that wraps does
        column_ = 0;
        if (++row_ == lines_.size()) lines_.emplace_back();
      }
      std::string& line = lines_[row_];
      if (line.size() <= column_) line.resize(column_ + 1, ' ');
      line[column_++] = c;
      overran_ = overran_ || column_ >= columns_;
    }
  }
}

void Screen::escape(char command, std::size_t number) {
  const std::size_t top = lines_.size() - std::min(lines_.size(), rows_);
  std::string& line = lines_[row_];
  switch (command) {
    case 'A': row_ = std::max(top, row_ - std::min(row_, std::max<std::size_t>(number, 1))); break;
    case 'K': line.resize(std::min(line.size(), column_)); break;
    case 'J':
      line.resize(std::min(line.size(), column_));
      for (std::size_t i = row_ + 1; i < lines_.size(); ++i) lines_[i].clear();
      break;
    case 'm': break;
    default: confused_ = true;
  }
}

std::vector<std::string> Screen::lines() const {
  std::vector<std::string> lines = lines_;
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string Screen::text() const {
  std::string text;
  for (const std::string& line : lines()) text += line + '\n';
  return text;
}

OnTerminal run_on_terminal(const std::vector<std::string>& words, std::size_t columns, std::size_t rows,
                           const std::function<std::string(const Screen&)>& saw, bool out_too, pid_t* process,
                           const char* term) {
  const auto fail = [](const char* what) { throw std::system_error(errno, std::generic_category(), what); };
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) fail("posix_openpt");
  char name[128];
  if (::ptsname_r(master, name, sizeof name) != 0) fail("ptsname_r");
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  if (::ioctl(master, TIOCSWINSZ, &size) != 0) fail("TIOCSWINSZ");
  const std::string path = command_path();
  std::vector<char*> arguments{const_cast<char*>(path.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::setenv("TERM", term, 1);
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    ::setsid();  // the terminal that is opened next is its own, so that a Ctrl-C there reaches it
    const int terminal = ::open(name, O_RDWR);
    const int nothing = ::open("/dev/null", O_RDWR);
    if (terminal < 0 || nothing < 0) ::_exit(126);
    ::dup2(terminal, 0);
    ::dup2(out_too ? terminal : nothing, 1);
    ::dup2(terminal, 2);
    ::execv(path.c_str(), arguments.data());
    ::_exit(127);
  }
  if (process != nullptr) *process = child;
  OnTerminal ran{.status = -1, .written = {}, .screen = Screen(columns, rows)};
  char buffer[4'096];
  for (;;) {
    const ssize_t count = ::read(master, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // EIO: nobody has the terminal open any more
    const std::string_view bytes(buffer, static_cast<std::size_t>(count));
    ran.written += bytes;
    ran.screen.write(bytes);
    const std::string typed = saw(ran.screen);
    if (typed == hang_up) break;
    if (!typed.empty() && ::write(master, typed.data(), typed.size()) < 0) fail("write");
  }
  ::close(master);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

}  // namespace robotrules::test
