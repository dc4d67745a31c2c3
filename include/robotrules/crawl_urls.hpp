// crawl_urls(): fetches a list of URLs into a file in one call, over the parts of crawl.hpp.
//
//     auto robot = robotrules::RobotUA::make("my-robot/0.1", "me@example.org");
//     if (!robot) return report(robot.error().message);
//     auto counts = robotrules::crawl_urls(*robot, {"https://example.org/"}, "pages.warc.gz", {.queue = "crawl.db"});
//     if (!counts) return report(counts.error().message);
//     std::cout << counts->done << " pages\n";
//
// A program that adds URLs during the crawl, keeps a log, or parses pages on other threads uses Crawl.
//
// Thread rule: the function may be called from any thread except the robot's own; two calls at the same time need
// different robots, queues and outputs. Errors: see crawl_urls().
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
  // Keeps the URLs and their results: a name for open_url_queue(), such as the path of a file, which is made if it does
  // not exist. If a call was killed or stopped, a call with the same arguments fetches only what is left. Empty: a
  // temporary queue, which ends with the call; the next call fetches all URLs again and appends them to the output.
  std::string queue{};
  std::string job{default_job};  // name of the job in `queue`
  // Called on the calling thread: about every `progress_interval` during the crawl, and at least once, after its end.
  // If it returns false, the crawl stops: requests on the wire are completed, and all other URLs stay pending
  // (CrawlCounts::pending). If it throws, the requests under way are cancelled, and the caller gets the exception.
  std::function<bool(const CrawlCounts& counts)> on_progress{};
  std::chrono::milliseconds progress_interval{1'000};
  // crawl_urls() sets output_path itself, and ignores log_path and settle_later. on_page also gets the pages that
  // resume() finds in the output.
  CrawlOptions crawl{};
  // Where `agent`, `from` and `policy` are empty, those of the robot are used.
  OutputOptions output{};
};

// Adds the URLs to the queue, fetches all its pending URLs with `robot`, and writes the pages to `output`, a name for
// open_output(). Returns when no URL is pending. Returns the counts of this call: pages of earlier calls are not among
// them. A URL that has failed is counted, and is not an error; later calls do not fetch it again
// (UrlQueue::retry_failed()).
//
// `urls` are as read_url_line() reads them. URLs that the queue has already are not fetched again. Fails with an error
// of read_url_line(), whose message names the URL, or check_page_headers(); then nothing has changed. Also fails with
// the errors of open_url_queue(), UrlQueue::claim() ("queue-claimed": another worker has the job), resume(),
// open_output() and Crawl::result(). The output is complete on the disk when it returns a value.
ROBOTRULES_API Result<CrawlCounts> crawl_urls(RobotUA& robot, const std::vector<std::string>& urls,
                                              const std::string& output, CrawlUrlsOptions options = {});

}  // namespace robotrules
