// The tables robots and body: the record of each origin, and the lease to fetch its robots.txt.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/store.hpp>

#include "servers/postgres/commit_gate.hpp"
#include "servers/postgres/moments.hpp"
#include "servers/record_cache.hpp"
#include "store/body_pool.hpp"
#include "store/lost_leases.hpp"

namespace robotrules::store::postgres {

// Any thread.
class Records {
 public:
  Records(std::shared_ptr<Pool> pool, Moments& moments, RecordCache& cache)
      : pool_(std::move(pool)), moments_(moments), cache_(cache) {}

  Result<std::shared_ptr<const RobotsRecord>> find(const Origin& origin);
  // As KeptStore::put_records().
  Result<std::uint64_t> put(const std::vector<std::pair<Origin, RobotsRecord>>& records, bool newer_only,
                            const RobotsLease* lease);
  Result<void> set_fresh_until(const Origin& origin, Timestamp time);
  Result<void> erase(const Origin& origin);
  // Does the same in the transaction of the caller. Returns false if there is no record.
  Result<bool> erase(Transaction& transaction, const Origin& origin);
  // Statements that delete all records. Commit them in a CommitGate::Commit of gate().
  static Batch clear();
  CommitGate& gate() noexcept { return gate_; }
  // In pieces, so that no transaction locks many rows for long.
  Result<std::uint64_t> prune(Timestamp before);
  Result<void> for_each(const std::function<bool(const Origin&, const RobotsRecord&)>& each);

  // As KeptStore::grant_lease(). Keeps a lease in `lost_leases` if the connection was lost before the answer.
  Result<LeaseAnswer> lease(const Origin& origin, std::chrono::microseconds length, std::uint64_t lost,
                            LostLeases& lost_leases);
  Result<void> release(const RobotsLease& lease);

 private:
  struct Found {
    std::shared_ptr<const RobotsRecord> record;
    std::string version;
  };
  // `known`: the record of the same version that this process has; its body was not read again.
  Result<Found> read(const TableRow& row, const Origin& origin, const std::optional<RecordCache::Entry>& known);
  Result<std::shared_ptr<const RobotsRecord>> find_once(const Origin& origin);
  // Commits the transaction with the lease. `owner`: of the lease. `version`: of the record; empty: there is none.
  Result<LeaseAnswer> grant(Transaction& transaction, const RobotsLease& lease, std::int64_t owner,
                            const std::string& version);
  Number scripted_now() const;
  Result<void> prune_bodies();

  const std::shared_ptr<Pool> pool_;
  Moments& moments_;
  RecordCache& cache_;
  BodyPool bodies_;
  CommitGate gate_;
};

}  // namespace robotrules::store::postgres
