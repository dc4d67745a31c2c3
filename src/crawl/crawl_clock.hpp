// The clock of a crawl.
#pragma once

#include <robotrules/crawl.hpp>

namespace robotrules::crawl {

inline std::chrono::steady_clock::time_point now_of(const CrawlOptions& options) {
  return options.clock ? options.clock() : std::chrono::steady_clock::now();
}

}  // namespace robotrules::crawl
