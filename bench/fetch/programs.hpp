// Programs that fetch the farm's list, each as its own process.
#pragma once

#include <string>
#include <vector>

namespace robotrules::bench {

// Runs it to its end, its output thrown away; answers its exit status, 127 where it is not there.
int run_program(const std::vector<std::string>& words);

}  // namespace robotrules::bench
