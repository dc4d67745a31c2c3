// Changes of the rows of the queue and of the sums in its tables. Precondition of all functions: a transaction.
#pragma once

#include <cstdint>
#include <span>

#include <robotrules/url_queue.hpp>

#include "queue/queue_tally.hpp"
#include "queue/sqlite/sqlite_queue_rows.hpp"
#include "store/sqlite/database.hpp"

namespace robotrules::store {

// Writes the changes of the sums of a job.
Result<void> apply(Database& database, std::int64_t job, const QueueTally& tally);

// Reads a row with these columns of a URL that leaves its state. Returns false if it is damaged.
struct LeftColumn {
  enum : int { site, state };
};
bool leave(const Statement& row, QueueTally& tally);

// Sets state and result of a URL of the job, adds the changes of the sums to the tally, for apply(), and returns the
// site of the URL. Fails with "unknown-url".
Result<std::int64_t> settle_one(Database& database, std::int64_t job, const FinishedUrl& settled, QueueTally& tally);

// Removes URLs of the job and returns how many. Ids that the job does not have are ignored. Updates the sums.
Result<std::uint64_t> remove_urls(Database& database, std::int64_t job, std::span<const std::int64_t> ids);

// Makes URLs of the job pending again and returns how many: those with ids from `first` to `last` that are in one of
// `states` (one bit for each) and were fetched before `before`. Updates the sums.
Result<std::uint64_t> reopen_urls(Database& database, std::int64_t job, std::int64_t first, std::int64_t last,
                                  std::int64_t states, std::int64_t before);

}  // namespace robotrules::store
