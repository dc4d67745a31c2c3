// get --dry-run: prints what a crawl would do.
#pragma once

#include <functional>

#include <robotrules/crawl.hpp>

namespace robotrules::cli {

struct DryRunOptions {
  ForecastOptions forecast;  // without callbacks
  bool explain = false;
  bool quiet = false;
};

// Prints a line for each site, in the order of the queue, to standard output, and then the sums, also to standard
// error. Ends early, without the sums, if `stop` returns true; it is called several times per second. Returns the exit
// status: exit_no if a URL is denied, else exit_left_out if one would be left out.
Result<int> dry_run(RobotUA& robot, const UrlQueue& queue, DryRunOptions options, const std::function<bool()>& stop);

}  // namespace robotrules::cli
