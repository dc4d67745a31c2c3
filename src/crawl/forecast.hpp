// What a crawl would do: robots.txt files are fetched, at the pace of their sites, and no page.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include <robotrules/robot_ua.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::crawl {

struct DryRunOptions {
  Pace pace;
  std::chrono::seconds longest_wait{3'600};  // a site to be left alone for longer is left out
  std::size_t sites_at_once = 20'000;
  double rate = 0;  // URLs begun a second, of all sites together; 0: any
  bool explain = false;
  bool quiet = false;
};

// Asks of every pending URL whether it may be fetched, and prints a line a site, in the order of the queue, on standard
// output; then how long it would take, on standard error too. The queue stays as it is. Ends early, without the sums,
// where `stop` answers true; it is asked several times a second. False: something is denied or would be left out.
Result<bool> dry_run(RobotUA& robot, const UrlQueue& queue, const DryRunOptions& options,
                     const std::function<bool()>& stop);

}  // namespace robotrules::crawl
