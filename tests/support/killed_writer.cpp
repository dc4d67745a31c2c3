#include "support/killed_writer.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace robotrules::test {

std::size_t run_until_killed(std::size_t pages, const std::function<void(const std::function<bool()>& tell)>& work) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    work([&] { return ::write(ends[1], "x", 1) == 1; });
    _exit(1);
  }
  close(ends[1]);
  std::size_t told = 0;
  char one = 0;
  while (told < pages && read(ends[0], &one, 1) == 1) ++told;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  while (read(ends[0], &one, 1) == 1) ++told;
  close(ends[0]);
  return told;
}

}  // namespace robotrules::test
