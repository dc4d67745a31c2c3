#include "servers/postgres/queue/claimed_sites.hpp"

#include <utility>

#include "servers/postgres/queue/postgres_queue_rows.hpp"
#include "servers/postgres/sql.hpp"

namespace robotrules::store::postgres {

void ClaimedSites::append_free_unknown(Pool& pool, std::int64_t job, std::int64_t fence, Batch& batch) const {
  if (!may_have_unknown_) return;
  const Timestamp until = pool.clock().now() + pool.timeout();
  const std::vector<std::int64_t> known(known_.begin(), known_.end());
  batch.push_back({sql("release_unknown_sites"),
                   Parameters({job, fence}).numbers(known).number(count(until)).number(scripted_time(pool))});
}

void ClaimedSites::note_claim(const Result<std::vector<QueueSite>>& claimed) {
  if (!claimed) {
    may_have_unknown_ = true;
    return;
  }
  for (const QueueSite& site : claimed.value()) known_.insert(site.id);
}

void ClaimedSites::note_release(std::span<const std::int64_t> sites, const Result<void>& released) {
  if (!released) may_have_unknown_ = true;
  for (const std::int64_t site : sites) known_.erase(site);
}

}  // namespace robotrules::store::postgres
