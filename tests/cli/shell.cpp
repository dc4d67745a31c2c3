#include "cli/shell.hpp"

#include <sys/wait.h>

#include <cstdio>

namespace robotrules::test {

Ran shell(const std::string& line) {
  Ran ran;
  FILE* pipe = ::popen((line + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ran;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) ran.out.append(buffer, got);
  const int status = ::pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return ran;
}

bool installed(const std::string& program) { return shell("command -v " + program).status == 0; }

}  // namespace robotrules::test
