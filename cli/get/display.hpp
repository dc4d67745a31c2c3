// The live display of a crawl, as a function from numbers to lines.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/crawl.hpp>

#include "cli/io/colours.hpp"

namespace robotrules::cli {

struct DisplayState {
  CrawlCounts counts;
  double pages_now = 0;  // per second, also the next two
  double pages_average = 0;
  double bytes_now = 0;
  std::chrono::seconds elapsed{0};
  std::optional<std::chrono::seconds> left;  // null if unknown
  std::optional<NextTry> next_try;
  bool interrupted = false;
  std::vector<SiteCounts> busiest;
  std::vector<SiteCounts> delayed;
};

// Returns at most `rows` lines of at most `columns` characters, in printable ASCII apart from colours; the most
// important lines come first.
std::vector<std::string> display_lines(const DisplayState& state, std::size_t columns, std::size_t rows,
                                       const Paint& paint = Paint());

// Returns "1,200 done", "30 denied", "4 failed", "2 cut" (if any), "0 left out", "1,766 to go".
std::vector<std::string> count_parts(const CrawlCounts& counts);

// Returns the whole state as one paragraph: "after 0:58: 12 done, ..., 88 to go; 1 on the wire, ...".
std::string state_text(const DisplayState& state);

// Returns what a site waits for: "Crawl-delay", "it asked for a pause"; empty for WaitReason::none.
std::string wait_text(WaitReason why);

// Returns true if there is something to wait for that lasts long enough to be told: a short --delay does not.
bool is_told(const std::optional<NextTry>& next);

// Returns "0:58 until the next try of https://a.test/robots.txt", or "59:12 until the next page of https://a.test
// (Crawl-delay)". If that is longer than `columns`, the URL is shortened.
std::string next_try_text(const NextTry& next, std::size_t columns);

// Returns what the whole crawl waits for, "waiting for room on the disk"; empty if it does not wait.
std::string_view lack_text(const CrawlCounts& counts) noexcept;

// Returns the remaining time: that of all pages at this rate, or that of the slowest site if it is longer. Null: not
// known, as while the crawl waits for room on a disk.
std::optional<std::chrono::seconds> time_left(const CrawlCounts& counts, double per_second,
                                              std::chrono::milliseconds slowest_site);

// Returns `text` with exactly `width` characters: a longer text has "..." in the middle, a shorter text has spaces
// after it. Characters that are not printable ASCII become "?".
std::string fitted(std::string_view text, std::size_t width);

}  // namespace robotrules::cli
