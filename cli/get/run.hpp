// The parts of a run of `get`, and how they are opened.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/crawl.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/flags/given.hpp"
#include "cli/get/get_options.hpp"
#include "cli/metrics/metrics.hpp"

namespace robotrules::cli {

// The parts of a run, in the order of opening.
struct GetRun {
  std::string job;
  GetOptions options;
  std::shared_ptr<Store> store;
  std::unique_ptr<UrlQueue> queue;
  std::unique_ptr<PageOutput> output;
  std::unique_ptr<PageOutput> log;
  std::unique_ptr<Metrics> metrics;
  std::unique_ptr<MetricsFile> metrics_file;
  std::optional<RobotUA> robot;
  std::vector<std::string> made;            // the log and the folder of the output that this run has made
  std::vector<std::string> made_databases;  // files
  std::uint64_t recovered = 0;
  std::uint64_t left = 0;    // URLs of earlier runs that were pending at the start
  bool is_new_job = false;   // no earlier run of the job in the database has begun
  bool has_results = false;  // an earlier run of the job has ended URLs
};

// Opens the store, the queue and the robot. Needs `job` and `options`. If it fails, it may be called again.
Result<void> open_stores(GetRun& run);

// Removes what a run that cannot begin has made: its job, its log, the folder of its output, and databases that did not
// exist before and have no job of another run.
void remove_made(GetRun& run);

// Opens what shows the metrics. Call it before open_outputs(): a run that fails here leaves no empty output.
Result<void> open_metrics(GetRun& run);

// Opens the output and the log, and takes over the pages that a killed run has written.
Result<void> open_outputs(GetRun& run);

// Calls `open` until it succeeds, as a running crawl waits for the server: at first after a second, then after twice
// the time, at most 30 s. Tells what is waited for, once. Catches interrupts from the first failure on. Fails with the
// error of `open` if that is one which waiting does not end, such as a wrong password, if the run is interrupted, and
// at once in a dry run.
Result<void> wait_for_server(const Given& given, const std::function<Result<void>()>& open);

// get --dry-run: prints a line for each site, in the order of the queue, to standard output, and then the sums, also to
// standard error. Ends early, without the sums, if `stop` returns true; it is called several times per second. Returns
// the exit status that the crawl would have (status_of()).
Result<int> dry_run(GetRun& run, const std::function<bool()>& stop);

}  // namespace robotrules::cli
