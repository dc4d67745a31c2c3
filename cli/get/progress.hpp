// The progress of a crawl on standard error.
#pragma once

#include <chrono>
#include <cstdint>

#include <robotrules/crawl.hpp>

#include "cli/get/display.hpp"
#include "cli/get/rate_meter.hpp"
#include "cli/get/summary.hpp"

namespace robotrules::cli {

// A live display on a terminal; periodic lines without a terminal, or if pages or the log go to the same terminal; with
// `quiet` only what tell_state() asks for. The crawl must outlive it.
class CrawlProgress {
 public:
  // `writes_stdout`: pages or the log go to standard output. `known`: what the summary says beyond the crawl.
  CrawlProgress(const Crawl& crawl, bool quiet, bool writes_stdout, SummaryFacts known);
  ~CrawlProgress() { take_away(); }
  CrawlProgress(const CrawlProgress&) = delete;
  CrawlProgress& operator=(const CrawlProgress&) = delete;

  // Call several times per second; shows the progress when it is due.
  void update();
  // Prints the state of the crawl at once, as one paragraph.
  void tell_state();
  // Call after the first Ctrl-C.
  void interrupted();
  // Prints the summary. `recovered`: pages written by an earlier run that was killed. `all_read`: the queue has all
  // URLs of the input.
  void finish(std::uint64_t recovered, bool all_read, const SitemapTotals& sitemaps = {});

 private:
  using Clock = std::chrono::steady_clock;
  enum class Form : std::uint8_t { silent, periodic, live };

  void look(Clock::time_point now);
  void look_at_sites();
  double rate_to_come() const;
  void draw() const;
  void tell_line() const;
  void take_away() const;
  std::size_t columns() const;

  const Crawl& crawl_;
  SummaryFacts facts_;
  Form form_ = Form::silent;
  DisplayState state_;
  std::chrono::milliseconds slowest_{0};
  Clock::duration every_{};
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_{};
  Clock::time_point next_sites_ = begin_;
  RateMeter pages_{begin_};
  RateMeter pages_lately_{begin_, std::chrono::minutes(1)};
  RateMeter bytes_{begin_};
};

}  // namespace robotrules::cli
