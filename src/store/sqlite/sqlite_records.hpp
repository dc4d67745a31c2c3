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
#include "store/sqlite/database.hpp"
#include "store/sqlite/owners.hpp"

namespace robotrules::store {

// Reads a row that begins with the columns of "SELECT * FROM robots", but not its body. Returns false if the row has
// only a lease, or if it is damaged: a value has a wrong type or is out of range.
bool read_record(const Statement& row, const Origin& origin, RobotsRecord& into);
// The lease in such a row. If the fence is 0 or negative, the lease has ended.
struct KeptLease {
  std::int64_t fence = 0;
  Timestamp until;
  Process owner = {};
};
bool read_lease(const Statement& row, KeptLease& into);
// Returns the body of such a row, joined with the columns coding, octets, size and hash of the table body. Null: the
// row has no body, or the body is damaged.
std::optional<std::string> read_body(const Statement& row);

// Works inside the transaction of the caller. `key` is the text of the origin. Thread rule: one thread at a time.
class Records {
 public:
  explicit Records(Database& database) noexcept : database_(database) {}

  Result<std::shared_ptr<const RobotsRecord>> find(const std::string& key, const Origin& origin) const;
  // Returns up to `page` origins after `after`, in ascending order.
  Result<std::vector<std::string>> names(const std::string& after) const;
  static constexpr std::size_t page = 256;

  enum class Keep { the_given, the_newer };
  // Returns false if `keep` is the_newer and the stored record was fetched later; then it stays.
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
