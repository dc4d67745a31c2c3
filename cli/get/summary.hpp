// What is said at the end of a crawl.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <robotrules/crawl.hpp>

namespace robotrules::cli {

struct SummaryFacts {
  CrawlCounts counts;
  FailureCounts failures;
  std::chrono::milliseconds time{0};
  std::string output;           // where the pages are, as it was given; "-": standard output
  bool has_position = false;    // it is one file, whose octets are counts.in_output
  bool kept = false;            // the queue is in a database: the same command line goes on
  std::uint64_t recovered = 0;  // pages that a run before had written when it was killed
};

// Lines of at most `columns` octets, but for a name that is longer. Those that would say 0 are left out.
std::vector<std::string> summary_lines(const SummaryFacts& facts, std::size_t columns);

}  // namespace robotrules::cli
