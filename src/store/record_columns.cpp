#include "store/record_columns.hpp"

#include <cstdlib>
#include <limits>

#include "store/gate_row.hpp"
#include "store/packing.hpp"

namespace robotrules::store {

bool read_record(const TableRow& row, const Origin& origin, RobotsRecord& into) {
  using Column = RobotsColumn;
  const auto time = [&](int column) { return row.within(column, -max_time, max_time); };
  const bool sound = row.is(Column::origin, ValueKind::text) &&
                     (row.is_or_null(Column::body, ValueKind::number) || row.is(Column::body, ValueKind::bytes)) &&
                     row.within(Column::outcome, 0, 2) &&
                     row.within(Column::status, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()) &&
                     row.is_or_null(Column::url, ValueKind::text) && row.is_or_null(Column::hops, ValueKind::text) &&
                     row.is_or_null(Column::etag, ValueKind::bytes) &&
                     row.is_or_null(Column::last_modified, ValueKind::bytes) && time(Column::fetched_at) &&
                     time(Column::fresh_until) && (row.is_null(Column::failing_since) || time(Column::failing_since)) &&
                     row.within(Column::failures, 0, std::numeric_limits<std::uint32_t>::max()) &&
                     row.within(Column::truncated, 0, 1);
  if (!sound) return false;
  into.outcome = static_cast<RobotsOutcome>(row.integer(Column::outcome));
  into.status = static_cast<int>(row.integer(Column::status));
  into.url = row.is_null(Column::url) ? origin.robots_url() : std::string(row.bytes(Column::url));
  into.hops = unpack_hops(row.bytes(Column::hops));
  into.etag = row.bytes(Column::etag);
  into.last_modified = row.bytes(Column::last_modified);
  into.fetched_at = time_of(row.integer(Column::fetched_at));
  into.fresh_until = time_of(row.integer(Column::fresh_until));
  into.failing_since = row.time(Column::failing_since);
  into.failures = static_cast<std::uint32_t>(row.integer(Column::failures));
  into.truncated = row.integer(Column::truncated) != 0;
  return true;
}

std::optional<std::string> read_body(const TableRow& row) {
  using Column = RobotsColumn;
  auto body =
      unpack_body(row.integer(Column::body_coding), row.bytes(Column::body_octets), row.integer(Column::body_size));
  // A flipped bit in compressed text can give other rules that are valid, so the hash is compared.
  if (!body || content_hash(*body) != row.bytes(Column::body_hash)) return std::nullopt;
  return body;
}

RecordValues::RecordValues(const Origin& origin, SqlValue body, const RobotsRecord& record)
    : key_(origin.to_string()),
      hops_(pack_hops(record.hops)),
      values_{key_,
              body,
              static_cast<std::int64_t>(record.outcome),
              std::int64_t{record.status},
              record.url == origin.robots_url() ? SqlValue() : SqlValue(record.url),
              SqlValue::filled(hops_),
              SqlValue::filled_blob(record.etag),
              SqlValue::filled_blob(record.last_modified),
              bounded(record.fetched_at),
              bounded(record.fresh_until),
              record.failing_since ? SqlValue(bounded(*record.failing_since)) : SqlValue(),
              std::int64_t{record.failures},
              std::int64_t{record.truncated}} {}

bool is_sound(const LeaseRow& row) { return row.fence >= -max_count && row.fence <= max_count && is_sound(row.until); }

RobotsLease next_lease(const LeaseRow& row, const Origin& origin, std::chrono::microseconds length, Timestamp now) {
  return {next_fence(static_cast<std::uint64_t>(std::abs(row.fence)), now), origin, now + length};
}

bool is_possible(const RobotsLease& lease) {
  return lease.fence != 0 && lease.fence <= static_cast<std::uint64_t>(max_count);
}

}  // namespace robotrules::store
