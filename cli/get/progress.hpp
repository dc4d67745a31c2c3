// The progress of a crawl on standard error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <robotrules/crawl.hpp>

#include "cli/get/summary.hpp"

namespace robotrules::cli {

class CrawlProgress {
 public:
  virtual ~CrawlProgress() = default;
  CrawlProgress(const CrawlProgress&) = delete;
  CrawlProgress& operator=(const CrawlProgress&) = delete;

  // Call several times per second; shows the progress when it is due.
  virtual void update() = 0;
  // Prints the state of the crawl at once, as one paragraph.
  virtual void tell_state() = 0;
  // Call after the first Ctrl-C.
  virtual void interrupted() = 0;
  // Prints the summary. `recovered`: pages written by an earlier run that was killed. `all_read`: the queue has all
  // URLs of the input.
  virtual void finish(std::uint64_t recovered, bool all_read) = 0;

 protected:
  CrawlProgress() = default;
};

struct ProgressOptions {
  bool quiet = false;
  std::string output = "-";       // "-": standard output
  bool writes_stdout = true;      // pages or the log go to standard output
  GoOn go_on;                     // empty if the queue is not stored
  std::uint64_t earlier = 0;      // URLs that failed, were cut or were left out in earlier runs and are not tried again
  std::uint64_t done_before = 0;  // SummaryFacts
  std::uint64_t denied_before = 0;  // the same
  // Returns the sitemaps that were read, for the summary; empty: none.
  std::function<SitemapTotals()> sitemaps{};
};

// Makes a live display on a terminal; periodic lines without a terminal, or if pages or the log go to the same
// terminal; with `quiet` only what tell_state() asks for. The crawl must outlive it.
std::unique_ptr<CrawlProgress> make_progress(const Crawl& crawl, ProgressOptions options);

}  // namespace robotrules::cli
