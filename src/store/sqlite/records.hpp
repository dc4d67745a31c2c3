// The tables robots and body: what is kept of each origin, and who fetches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/store.hpp>

#include "base/evicting_map.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/owners.hpp"

namespace robotrules::store {

// A row that begins as "SELECT * FROM robots" does, but for its body; behind the columns of version 1 come
// `truncated` and the lease's owner. False where it can't be what was written: a value of another type, or out of
// bounds; also where there is no record, but a lease.
bool read_record(const Statement& row, const Origin& origin, RobotsRecord& into);
// Of such a row too. A fence that is not greater than 0: the lease has ended.
struct KeptLease {
  std::int64_t fence = 0;
  Timestamp until;
  Process owner = {};
};
bool read_lease(const Statement& row, KeptLease& into);
// Returns the body of such a row, joined with the columns coding, octets, size and hash of the table body. Null: the
// row has no body, or the body is damaged.
std::optional<std::string> read_body(const Statement& row);

// Works inside the transaction of who calls. `key` is the text of the origin. Thread rule: one thread at a time.
class Records {
 public:
  explicit Records(Database& database) noexcept : database_(database) {}

  Result<std::shared_ptr<const RobotsRecord>> find(const std::string& key, const Origin& origin) const;
  // Up to `page` names behind `after`, in ascending order.
  Result<std::vector<std::string>> names(const std::string& after) const;
  static constexpr std::size_t page = 256;

  enum class Keep { the_given, the_newer };
  // False where the record that is there was fetched later, and stays.
  Result<bool> put(const std::string& key, const Origin& origin, const RobotsRecord& robots, Keep keep);
  Result<void> set_fresh_until(const std::string& key, Timestamp time);
  Result<void> erase(const std::string& key);
  Result<void> clear();
  Result<std::uint64_t> prune(Timestamp before, Timestamp now);

  Result<LeaseAnswer> lease(const Origin& origin, std::chrono::microseconds length, Timestamp now, Owners& owners);
  Result<void> end_lease(const RobotsLease& lease, Timestamp now);

 private:
  Result<std::optional<std::int64_t>> keep_body(const RobotsRecord& robots);
  Result<void> drop_orphan(std::optional<std::int64_t> body);

  Database& database_;
  // Bodies by their number in the file, which is never given to another.
  mutable base::EvictingMap<std::int64_t, std::shared_ptr<const std::string>> bodies_;
};

}  // namespace robotrules::store
