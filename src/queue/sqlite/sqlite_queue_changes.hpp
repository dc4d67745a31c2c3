// Changes of the rows of the queue and of the sums in its tables. Precondition of all functions: a transaction.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include <robotrules/url_queue.hpp>

#include "queue/sqlite/sqlite_queue_rows.hpp"
#include "store/sqlite/database.hpp"

namespace robotrules::store {

// Changes of the sums that the tables store: pending URLs of each site, and URLs in each state.
struct QueueTally {
  struct Site {
    std::int64_t pending = 0;          // how many more; negative: fewer
    std::optional<std::int64_t> rank;  // the least rank of the URLs that became pending
  };
  std::map<std::int64_t, Site> sites;
  std::array<std::int64_t, queue_states> urls{};

  // Counts a URL that became pending.
  void add(std::int64_t site, std::int64_t rank) {
    Site& one = sites[site];
    ++one.pending;
    if (!one.rank || rank < *one.rank) one.rank = rank;
    ++urls[0];
  }
};

// Writes the changes of the sums of a job.
Result<void> apply(Database& database, std::int64_t job, const QueueTally& tally);

// Sets state and result of a URL of the job, adds the changes of the sums to the tally, for apply(), and returns the
// site of the URL. Fails with "unknown-url".
Result<std::int64_t> settle_one(Database& database, std::int64_t job, const FinishedUrl& settled, QueueTally& tally);

// Removes URLs of the job and returns how many. Ids that the job does not have are ignored. Updates the sums.
Result<std::uint64_t> remove_urls(Database& database, std::int64_t job, std::span<const std::int64_t> ids);

// Makes URLs of the job pending again and returns how many: those with ids from `first` to `last` that are in one of
// `states` (one bit for each) and were fetched before `before`. Updates the sums.
Result<std::uint64_t> reopen_page(Database& database, std::int64_t job, std::int64_t first, std::int64_t last,
                                  std::int64_t states, std::int64_t before);

}  // namespace robotrules::store
