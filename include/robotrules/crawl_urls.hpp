// crawl_urls(): fetches a list of URLs into a file, in one call.
//
//     auto robot = robotrules::RobotUA::make("my-robot/0.1", "me@example.org").value();
//     const std::vector<std::string> urls{"https://example.org/", "https://example.org/about"};
//     auto counts = robotrules::crawl_urls(robot, urls, "pages.warc.gz", {.queue = "crawl.db"});
//     if (!counts) return report(counts.error().message);
//
// It does what crawl.hpp describes: opens a queue, resumes what an earlier call began, opens the output, adds the URLs,
// and crawls until each has a result. Programs that need more use these pieces themselves.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <robotrules/crawl.hpp>
#include <robotrules/export.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/result.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules {

struct CrawlUrlsOptions {
  // The file or the database of the queue, a name for open_store(). The same call after a crash, or after on_progress
  // has ended it, then continues: pages that are in the output are not fetched again. Empty: a temporary queue, which
  // nothing resumes.
  std::string queue{};
  std::string job{default_job};
  OutputOptions output{};  // empty `agent`, `from` and `policy`: those of the robot
  CrawlOptions crawl{};    // `output_path` is set by crawl_urls()
  // Called with the counts when the crawl has begun, after each `progress_interval`, and at the end, on the
  // thread of the caller. If it returns false, requests on the wire are completed, and the other URLs stay pending.
  std::function<bool(const CrawlCounts& counts)> on_progress{};
  std::chrono::milliseconds progress_interval{1'000};
};

// Fetches each URL into `output` (open_output()), as far as robots.txt allows it, and returns the counts of this call.
// It waits until all are done. URLs are written as in a list: read_url_line(). The robot may not be used by another
// crawl meanwhile. After a crash, only requests that were under way are repeated, if the output is a WARC or NDJSON
// file; pages of a tree may be fetched again.
//
// Fails with the errors of read_url_line() before anything is opened, and with those of open_url_queue(),
// UrlQueue::claim(), resume(), open_output() and Crawl::result().
// Thread rule: any thread but that of the robot's callbacks.
ROBOTRULES_API Result<CrawlCounts> crawl_urls(RobotUA& robot, const std::vector<std::string>& urls,
                                              const std::string& output, CrawlUrlsOptions options = {});

}  // namespace robotrules
