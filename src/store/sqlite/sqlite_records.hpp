// The tables robots and body: the record of each origin, and the lease to fetch its robots.txt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/store.hpp>

#include "base/evicting_map.hpp"
#include "store/record_columns.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/owners.hpp"

namespace robotrules::store {

// The lease in a row that begins with the columns of "SELECT * FROM robots".
struct OwnedLease : LeaseRow {
  Process owner = {};
};
// Returns false if the lease is damaged: a value has a wrong type or is out of range.
bool read_lease(const Statement& row, OwnedLease& into);

// Works inside the transaction of the caller. `key` is the text of the origin. Thread rule: one thread at a time.
class Records {
 public:
  explicit Records(Database& database) noexcept : database_(database) {}

  Result<std::shared_ptr<const RobotsRecord>> find(const std::string& key, const Origin& origin) const;
  // Returns up to `page` origins after `after`, in ascending order.
  Result<std::vector<std::string>> names(const std::string& after) const;
  static constexpr std::size_t page = 256;

  // Returns false if `newer_only` is set and the stored record was fetched later; then it stays.
  Result<bool> put(const Origin& origin, const RobotsRecord& robots, bool newer_only);
  Result<void> set_fresh_until(const std::string& key, Timestamp time);
  // Returns false if there was no record.
  Result<bool> erase(const std::string& key);
  Result<void> clear();
  Result<std::uint64_t> prune(Timestamp before, Timestamp now);

  // `lost`: see KeptStore::grant_lease().
  Result<LeaseAnswer> lease(const Origin& origin, std::chrono::microseconds length, std::uint64_t lost, Timestamp now,
                            Owners& owners);
  Result<void> end_lease(const RobotsLease& lease, Timestamp now);

 private:
  Result<std::optional<std::int64_t>> keep_body(const RobotsRecord& robots);
  Result<void> drop_orphan(std::optional<std::int64_t> body);

  Database& database_;
  // Bodies by their number in the file, which is never given to another.
  mutable base::EvictingMap<std::int64_t, std::shared_ptr<const std::string>> bodies_;
};

}  // namespace robotrules::store
