// The summary at the end of a crawl.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <robotrules/crawl.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/io/colours.hpp"

namespace robotrules::cli {

// The entries of all sitemaps that were read, and of the Sitemap lines of robots.txt files.
struct SitemapTotals {
  std::uint64_t entries = 0;  // of sitemaps alone
  std::uint64_t repaired = 0;
  std::uint64_t left_out = 0;
};

// The command that goes on with a job.
struct GoOn {
  std::string command;
  std::string note;  // says where the missing password comes from; empty: none is missing

  bool empty() const noexcept { return command.empty(); }
};

struct SummaryFacts {
  CrawlCounts counts;
  FailureCounts failures;
  std::chrono::milliseconds time{0};
  std::string output;               // as given; "-" is standard output
  bool has_size = false;            // counts.output_size is known
  bool all_read = true;             // the queue has all URLs of the input
  GoOn go_on;                       // empty if the queue is not stored
  std::uint64_t recovered = 0;      // pages written by an earlier run that was killed
  std::uint64_t done_before = 0;    // URLs that earlier runs have done, and that this run does not fetch
  std::uint64_t earlier = 0;        // URLs that failed, were cut or were left out in earlier runs
  std::uint64_t denied_before = 0;  // URLs that were denied in earlier runs
  SitemapTotals sitemaps;
};

// Returns lines of at most `columns` characters, without colours, unless a name is longer. Counts of 0 are left out.
std::vector<std::string> summary_lines(const SummaryFacts& facts, std::size_t columns, const Paint& paint = Paint());

// Returns "To fetch failed, cut and left-out URLs: COMMAND --retry", and the note if there is one.
std::string retry_hint(const GoOn& go_on);

// Returns the exit status of a crawl with these URLs, those of earlier runs included. The first that applies: exit_no
// if URLs are still to go, exit_incomplete if one failed or was cut, exit_left_out if one was left out, and with
// `fails_on_denied` exit_no if one was denied. That robots.txt forbids a page is else not a failure of the crawl.
int status_of(const QueueCounts& urls, bool fails_on_denied) noexcept;

// Returns "job news: 120 URLs: 114 fetched, 4 failed, 2 left out". `job` is empty if the queue is not stored.
std::string summary_line(const QueueCounts& counts, const std::string& job);

}  // namespace robotrules::cli
