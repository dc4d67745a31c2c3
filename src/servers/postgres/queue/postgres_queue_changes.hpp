// Changes of URLs and of the sums in the tables of a queue. All are parts of one transaction.
//
// Each transaction that changes the state of a URL first locks the row of its site, the sites in the order of their
// ids. So no two transactions wait for each other, and a state that was read after the lock is still the same.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include <robotrules/url_queue.hpp>

#include "queue/queue_tally.hpp"
#include "servers/postgres/transaction.hpp"

namespace robotrules::store::postgres {

// Appends the statements that write the sums. They come after all other changes of the transaction.
void append_tally(std::int64_t job, std::int64_t slot, const QueueTally& tally, Batch& batch);
// The rows of the sums of a job.
inline constexpr std::int64_t count_slots = 32;

// A URL whose site is locked.
struct LockedUrl {
  std::int64_t site = 0;
  UrlState state = UrlState::pending;
};
// Two statements: the first locks the sites of the URLs and the further `sites`, and returns (id, fence); the second
// one returns (id, site, state) of the URLs that the job has.
void append_lock_urls(std::int64_t job, std::span<const std::int64_t> ids, std::span<const std::int64_t> sites,
                      Batch& batch);
// Returns the URLs by their ids. Fails with "store-damaged".
Result<std::map<std::int64_t, LockedUrl>> locked_urls(const Rows& rows, const std::string& server);

// Sets states and results. Precondition: the URLs are locked.
Statement set_results(const std::map<std::int64_t, const FinishedUrl*>& settled);

}  // namespace robotrules::store::postgres
