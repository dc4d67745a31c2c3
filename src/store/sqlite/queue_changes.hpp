// What changes rows of the queue, and the sums that its tables keep. All of it works inside the transaction of who
// calls.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include <robotrules/url_queue.hpp>

#include "store/sqlite/database.hpp"
#include "store/sqlite/queue_rows.hpp"

namespace robotrules::store {

// What a change does to the sums that the tables keep.
struct QueueTally {
  struct Site {
    std::int64_t pending = 0;          // more or, negative, fewer
    std::optional<std::int64_t> rank;  // the least of those that became pending
  };
  std::map<std::int64_t, Site> sites;
  std::array<std::int64_t, queue_states> urls{};

  void add(std::int64_t site, std::int64_t rank) {
    Site& one = sites[site];
    ++one.pending;
    if (!one.rank || rank < *one.rank) one.rank = rank;
    ++urls[0];
  }
};

Result<void> keep(Database& database, const QueueTally& tally);

// What it does to the sums is put into the tally, for keep().
Result<void> settle_one(Database& database, const FinishedUrl& settled, QueueTally& tally);

// Makes pending what is in one of `states` (a bit each), was settled before `before` and has an id in first..last.
// Answers how many, with the sums kept.
Result<std::uint64_t> reopen_page(Database& database, std::int64_t first, std::int64_t last, std::int64_t states,
                                  std::int64_t before);

}  // namespace robotrules::store
