// A writer that is killed while it writes.
#pragma once

#include <cstddef>
#include <functional>

namespace robotrules::test {

// Runs `work` in a process of its own, which calls `tell` after each page that it has written, until that returns
// false. Kills the process after at least `pages` pages, and returns how many it has told of. 0: there is no process.
std::size_t run_until_killed(std::size_t pages, const std::function<void(const std::function<bool()>& tell)>& work);

}  // namespace robotrules::test
