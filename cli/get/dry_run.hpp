// get --dry-run: prints what a crawl would do.
#pragma once

#include <functional>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>

namespace robotrules::cli {

struct DryRunOptions {
  ForecastOptions forecast;  // without callbacks
  bool explain = false;
  bool quiet = false;
  bool fails_on_denied = false;  // --fail-on denied
};

// Prints a line for each site, in the order of the queue, to standard output, and then the sums, also to standard
// error. Ends early, without the sums, if `stop` returns true; it is called several times per second. Returns the exit
// status that the crawl would have (status_of()).
Result<int> dry_run(RobotUA& robot, const UrlQueue& queue, DryRunOptions options, const std::function<bool()>& stop);

}  // namespace robotrules::cli
