#include "cli/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "support/folder.hpp"

extern char** environ;

namespace robotrules::test {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
  return ends;
}

void close_once(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

}  // namespace

std::string command_path() {
  const char* given = std::getenv("ROBOTRULES_COMMAND");  // NOLINT(concurrency-mt-unsafe)
  return given != nullptr && *given != '\0' ? given : ROBOTRULES_COMMAND;
}

Running::Running(const std::vector<std::string>& words, Streams streams) {
  std::signal(SIGPIPE, SIG_IGN);
  const auto in = make_pipe();
  const auto out = make_pipe();
  const auto err = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  const auto connect = [&actions](int stream, int pipe, int number) {
    if (stream == Streams::closed) posix_spawn_file_actions_addclose(&actions, number);
    if (stream != Streams::closed) {
      posix_spawn_file_actions_adddup2(&actions, stream == Streams::to_test ? pipe : stream, number);
    }
  };
  connect(streams.out, out[1], 1);
  connect(streams.err, err[1], 2);
  const std::string path = command_path();
  std::vector<char*> arguments{const_cast<char*>(path.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int error = ::posix_spawn(&pid_, path.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  ::close(err[1]);
  in_ = in[1];
  out_ = out[0];
  err_ = err[0];
  if (error != 0) throw std::system_error(error, std::generic_category(), path);
}

Running::~Running() {
  close_once(in_);
  close_once(out_);
  close_once(err_);
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

void Running::close_in() { close_once(in_); }
void Running::close_out() { close_once(out_); }

void Running::signal(int number) const {
  if (::kill(pid_, number) != 0) fail("kill");
}

std::string Running::read_err_until(std::string_view text) const {
  std::string seen;
  char one = 0;
  while (seen.find(text) == std::string::npos) {
    if (::read(err_, &one, 1) != 1) throw std::runtime_error("no \"" + std::string(text) + "\" in: " + seen);
    seen += one;
  }
  return seen;
}

Ran Running::finish() {
  Ran ran;
  std::array<char, 65536> buffer;
  const auto drain = [&buffer](int from, std::string& to) {
    for (ssize_t count = 0; (count = ::read(from, buffer.data(), buffer.size())) > 0;) {
      to.append(buffer.data(), static_cast<std::size_t>(count));
    }
  };
  drain(out_, ran.out);
  drain(err_, ran.err);
  wait(ran);
  return ran;
}

void Running::wait(Ran& ran) {
  int status = 0;
  rusage usage{};
  while (::wait4(pid_, &status, 0, &usage) < 0) {
    if (errno != EINTR) fail("wait4");
  }
  pid_ = -1;
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ran.max_rss_kib = usage.ru_maxrss;
}

Ran run_stream(const std::vector<std::string>& words, const std::function<std::string()>& more,
               const std::function<void(std::string_view)>& take, bool reluctant) {
  Running process(words);
  Ran ran;
  ::fcntl(process.in(), F_SETFL, O_NONBLOCK);
  std::string piece = more();
  std::size_t written = 0;
  if (piece.empty()) process.close_in();
  bool out_open = true;
  bool err_open = true;
  std::vector<char> buffer(65536);
  while (out_open || err_open) {
    std::array<pollfd, 3> polled{{{process.in(), POLLOUT, 0},
                                  {out_open ? process.out() : -1, POLLIN, 0},
                                  {err_open ? process.err() : -1, POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), -1) < 0) {
      if (errno == EINTR) continue;
      fail("poll");
    }
    if (polled[0].revents != 0) {
      const ssize_t count = ::write(process.in(), piece.data() + written, piece.size() - written);
      if (count < 0 && errno != EAGAIN && errno != EINTR) process.close_in();  // it does not want more
      if (count > 0) written += static_cast<std::size_t>(count);
      if (written == piece.size() && process.in() >= 0) {
        piece = more();
        written = 0;
        if (piece.empty()) process.close_in();
      }
    }
    if (polled[1].revents != 0 && !(reluctant && polled[0].revents != 0)) {
      const ssize_t count = ::read(process.out(), buffer.data(), buffer.size());
      if (count <= 0)
        out_open = false;
      else
        take({buffer.data(), static_cast<std::size_t>(count)});
    }
    if (polled[2].revents != 0) {
      const ssize_t count = ::read(process.err(), buffer.data(), buffer.size());
      if (count <= 0)
        err_open = false;
      else
        ran.err.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
  process.wait(ran);
  return ran;
}

Ran run(const std::vector<std::string>& words, std::string_view input) {
  std::string out;
  bool given = false;
  Ran ran = run_stream(
      words, [&] { return std::exchange(given, true) ? std::string() : std::string(input); },
      [&](std::string_view text) { out += text; });
  ran.out = std::move(out);
  return ran;
}

Ran run_with(Streams streams, const std::vector<std::string>& words, std::string_view input) {
  Running process(words, streams);
  const ssize_t written = ::write(process.in(), input.data(), input.size());  // fits into a pipe
  if (written != static_cast<ssize_t>(input.size())) fail("write");
  process.close_in();
  return process.finish();
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace robotrules::test
