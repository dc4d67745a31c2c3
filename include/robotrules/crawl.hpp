// How far a crawl is.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace robotrules {

struct CrawlCounts {
  std::uint64_t done = 0;    // of this run, as are the next four
  std::uint64_t denied = 0;  // by robots.txt
  std::uint64_t failed = 0;
  std::uint64_t parked = 0;                 // their site asks to be left alone for longer than is waited
  std::uint64_t retried = 0;                // requests that were tried again
  std::array<std::uint64_t, 6> by_class{};  // of `done`: [2] with a status of 200 to 299
  std::uint64_t kept_out = 0;               // of `done`: not in the output, as the page asks
  std::uint64_t octets = 0;                 // of bodies, as they came
  std::uint64_t in_output = 0;
  std::uint64_t pending = 0;  // in the queue, those in flight among them
  std::size_t on_the_wire = 0;
  std::size_t waiting = 0;     // handed to the robot, for robots.txt or their site's gate
  std::size_t sites = 0;       // that are worked on
  std::size_t sites_seen = 0;  // that are or were
  bool open = false;           // URLs are still being read

  std::uint64_t ended() const noexcept { return done + denied + failed + parked; }
};

// How many failed by what: "404", "timeout", ...
using FailureCounts = std::map<std::string, std::uint64_t>;

struct SiteCounts {
  std::string origin;
  std::uint64_t done = 0;
  std::uint64_t pending = 0;
  std::chrono::milliseconds next_in{0};  // until its next request may be made; 0: now, or one is under way
};

}  // namespace robotrules
