// The changes of the sums that the tables of a queue store.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "queue/queue_values.hpp"

namespace robotrules::store {

// Pending URLs of each site, and URLs of the job in each state.
struct QueueTally {
  struct Site {
    std::int64_t pending = 0;          // how many more; negative: fewer
    std::optional<std::int64_t> rank;  // the least rank of the URLs that became pending
  };
  std::map<std::int64_t, Site> sites;
  std::array<std::int64_t, queue_states> urls{};

  // `rank`: of the URL.
  void enter(std::int64_t site, UrlState to, std::int64_t rank = 0) {
    ++urls[static_cast<std::size_t>(to)];
    if (to != UrlState::pending) return;
    Site& one = sites[site];
    ++one.pending;
    if (!one.rank || rank < *one.rank) one.rank = rank;
  }
  void leave(std::int64_t site, UrlState from) {
    --urls[static_cast<std::size_t>(from)];
    if (from == UrlState::pending) --sites[site].pending;
  }
};

}  // namespace robotrules::store
