// What the live display of a crawl shows: lines made of what is known, and nothing else.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/crawl.hpp>

namespace robotrules::cli {

struct DisplayState {
  CrawlCounts counts;
  double pages_now = 0;  // a second, as are the next two
  double pages_average = 0;
  double octets_now = 0;
  std::chrono::seconds elapsed{0};
  std::optional<std::chrono::seconds> left;  // null: not known
  int interrupts = 0;
  std::vector<SiteCounts> busiest;
  std::vector<SiteCounts> delayed;
};

// At most `rows` lines of at most `columns` octets each, all of printable ASCII; what matters most comes first.
std::vector<std::string> display_lines(const DisplayState& state, std::size_t columns, std::size_t rows);

// "1,200 done", "30 denied", "4 failed", "0 left out", "1,766 to go".
std::vector<std::string> count_parts(const CrawlCounts& counts);

// How long it will take: as long as all of it at this rate, or as the slowest site where that is longer.
std::optional<std::chrono::seconds> time_left(const CrawlCounts& counts, double a_second,
                                              std::chrono::milliseconds slowest_site);

// `text` in exactly `width` octets: with "..." in the middle where it is longer, and spaces behind where it is shorter.
// What is no printable ASCII becomes "?".
std::string fitted(std::string_view text, std::size_t width);

}  // namespace robotrules::cli
