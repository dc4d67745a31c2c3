// Runs lines of a shell, for what is made for shells and for man.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace robotrules::test {

// Runs the line with sh to its end; standard error is in `out` too.
Ran shell(const std::string& line);

// Returns true if the program can be run.
bool installed(const std::string& program);

}  // namespace robotrules::test
