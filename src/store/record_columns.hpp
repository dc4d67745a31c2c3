// The tables robots and body: the record of each origin, and the lease to fetch its robots.txt. Every database has the
// same columns.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

#include "base/visibility.hpp"
#include "store/table_row.hpp"

namespace robotrules::store {

// The columns from `body_coding` on are those of the body, if the query joins the table body.
struct RobotsColumn {
  enum : int {
    origin,
    body,
    outcome,
    status,
    url,
    hops,
    etag,
    last_modified,
    fetched_at,
    fresh_until,
    failing_since,
    failures,
    lease_fence,
    lease_until,
    truncated,    // in files since version 2
    lease_owner,  // since version 4
    body_coding,
    body_octets,
    body_size,
    body_hash,
  };
};

// The columns that a record is written to.
inline constexpr std::array record_columns{SqlColumn{"origin", ValueKind::text},
                                           SqlColumn{"body", ValueKind::bytes},
                                           SqlColumn{"outcome"},
                                           SqlColumn{"status"},
                                           SqlColumn{"url", ValueKind::text},
                                           SqlColumn{"hops", ValueKind::text},
                                           SqlColumn{"etag", ValueKind::bytes},
                                           SqlColumn{"last_modified", ValueKind::bytes},
                                           SqlColumn{"fetched_at"},
                                           SqlColumn{"fresh_until"},
                                           SqlColumn{"failing_since"},
                                           SqlColumn{"failures"},
                                           SqlColumn{"truncated"}};

// Reads a row with the columns of RobotsColumn, but not its body. Returns false if the row has only a lease, or if it
// is damaged: a value has a wrong type or is out of range.
ROBOTRULES_INTERNAL_API bool read_record(const TableRow& row, const Origin& origin, RobotsRecord& into);
// Returns the body of such a row. Null: the row has no body, or the body is damaged.
ROBOTRULES_INTERNAL_API std::optional<std::string> read_body(const TableRow& row);

// The values of a record, in the order of record_columns. The record must outlive them.
class ROBOTRULES_INTERNAL_API RecordValues {
 public:
  // `body`: what the column of that name refers to the body with; null: there is none.
  RecordValues(const Origin& origin, SqlValue body, const RobotsRecord& record);
  RecordValues(const RecordValues&) = delete;
  RecordValues& operator=(const RecordValues&) = delete;
  std::span<const SqlValue> all() const noexcept { return values_; }

 private:
  const std::string key_;
  const std::string hops_;
  const std::array<SqlValue, record_columns.size()> values_;
};

// The lease in a row. If the fence is 0 or negative, the lease has ended; that of one that has ended is kept negated,
// so that the next one gets a greater fence.
struct LeaseRow {
  std::int64_t fence = 0;
  Timestamp until;

  // `lost`: the lease with this fence does not count; 0: each one counts.
  bool is_held(Timestamp now, std::uint64_t lost) const noexcept {
    return fence > 0 && until > now && static_cast<std::uint64_t>(fence) != lost;
  }
};
ROBOTRULES_INTERNAL_API bool is_sound(const LeaseRow& row);
// Returns the lease that replaces the one in the row.
ROBOTRULES_INTERNAL_API RobotsLease next_lease(const LeaseRow& row, const Origin& origin,
                                               std::chrono::microseconds length, Timestamp now);
// Returns false if no store has granted such a lease.
ROBOTRULES_INTERNAL_API bool is_possible(const RobotsLease& lease);

}  // namespace robotrules::store
