// The wait of a run that begins while the server of its store or of its queue is away.
#pragma once

#include <functional>

#include <robotrules/result.hpp>

#include "cli/flags/given.hpp"

namespace robotrules::cli {

// Calls `open` until it succeeds, as a running crawl waits for the server: at first after a second, then after twice
// the time, at most 30 s. Tells what is waited for, once. Catches interrupts from the first failure on. Fails with the
// error of `open` if that is one which waiting does not end, such as a wrong password, if the run is interrupted, and
// at once in a dry run.
Result<void> wait_for_server(const Given& given, const std::function<Result<void>()>& open);

}  // namespace robotrules::cli
