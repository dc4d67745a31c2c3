#include "servers/postgres/record_rows.hpp"

#include <limits>
#include <set>

#include "servers/postgres/postgres_schema.hpp"
#include "store/gate_row.hpp"

namespace robotrules::store::postgres {
const std::string robots_columns =
    "origin, version, outcome, status, url, hops, etag, last_modified, fetched_at, fresh_until, failing_since,"
    " failures, truncated, robots.body IS NOT NULL, coding, octets, size, hash";

bool read_record(const Rows& rows, int row, const Origin& origin, RobotsRecord& into) {
  using Column = RobotsColumn;
  const auto within = [&](int column, std::int64_t min, std::int64_t max) {
    return !rows.is_null(row, column) && rows.number(row, column) >= min && rows.number(row, column) <= max;
  };
  const auto time = [&](int column) { return within(column, -max_time, max_time); };
  const bool sound = within(Column::outcome, 0, 2) &&
                     within(Column::status, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()) &&
                     time(Column::fetched_at) && time(Column::fresh_until) &&
                     (rows.is_null(row, Column::failing_since) || time(Column::failing_since)) &&
                     within(Column::failures, 0, std::numeric_limits<std::uint32_t>::max()) &&
                     within(Column::truncated, 0, 1);
  if (!sound) return false;
  into.outcome = static_cast<RobotsOutcome>(rows.number(row, Column::outcome));
  into.status = static_cast<int>(rows.number(row, Column::status));
  into.url = rows.is_null(row, Column::url) ? origin.robots_url() : std::string(rows.bytes(row, Column::url));
  into.hops = unpack_hops(rows.bytes(row, Column::hops));
  into.etag = rows.bytes(row, Column::etag);
  into.last_modified = rows.bytes(row, Column::last_modified);
  into.fetched_at = timestamp_of(rows.number(row, Column::fetched_at));
  into.fresh_until = timestamp_of(rows.number(row, Column::fresh_until));
  if (const Number since = rows.optional_number(row, Column::failing_since)) into.failing_since = timestamp_of(*since);
  into.failures = static_cast<std::uint32_t>(rows.number(row, Column::failures));
  into.truncated = rows.number(row, Column::truncated) != 0;
  return true;
}

void RecordWriter::add(const Origin& origin, const RobotsRecord& record, const std::optional<std::string>& hash) {
  const auto text = [](const std::string& value) { return value.empty() ? Bytes() : Bytes(value); };
  origins_.emplace_back(origin.to_string());
  texts_[0].push_back(hash);
  texts_[1].push_back(record.url == origin.robots_url() ? Bytes() : Bytes(record.url));
  texts_[2].push_back(text(pack_hops(record.hops)));
  texts_[3].push_back(text(record.etag));
  texts_[4].push_back(text(record.last_modified));
  numbers_[0].emplace_back(static_cast<std::int64_t>(record.outcome));
  numbers_[1].emplace_back(record.status);
  numbers_[2].emplace_back(microseconds_of(bounded(record.fetched_at)));
  numbers_[3].emplace_back(microseconds_of(bounded(record.fresh_until)));
  numbers_[4].push_back(record.failing_since ? Number(microseconds_of(bounded(*record.failing_since))) : Number());
  numbers_[5].emplace_back(record.failures);
  numbers_[6].emplace_back(record.truncated ? 1 : 0);
}

Statement RecordWriter::statement(bool newer_only) const {
  Parameters parameters;
  parameters.byte_strings(origins_);
  for (const auto& column : texts_) parameters.byte_strings(column);
  for (const auto& column : numbers_) parameters.numbers(column);
  std::string sql =
      "INSERT INTO robots(origin, body, url, hops, etag, last_modified, outcome, status, fetched_at, fresh_until,"
      " failing_since, failures, truncated, version) SELECT n.*, " +
      std::string(sql_now) +
      " FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS n(origin, body, url, hops, etag,"
      " last_modified, outcome, status, fetched_at, fresh_until, failing_since, failures, truncated)"
      " ORDER BY n.origin ON CONFLICT (origin) DO UPDATE SET body = excluded.body, url = excluded.url,"
      " hops = excluded.hops, etag = excluded.etag, last_modified = excluded.last_modified,"
      " outcome = excluded.outcome, status = excluded.status, fetched_at = excluded.fetched_at,"
      " fresh_until = excluded.fresh_until, failing_since = excluded.failing_since, failures = excluded.failures,"
      " truncated = excluded.truncated, version = greatest(robots.version + 1, excluded.version)";
  if (newer_only) sql += " WHERE robots.outcome IS NULL OR excluded.fetched_at >= robots.fetched_at";
  return {std::move(sql), std::move(parameters)};
}

void BodyWriter::add(const std::string& hash, const std::string& body) {
  const auto [added, is_new] = bodies_.emplace(hash, std::pair(body.size(), pack_body(body)));
  if (is_new) bytes_ += added->second.second.bytes.size();
}

Batch BodyWriter::statements() const {
  std::set<std::int64_t> locked;
  std::vector<Bytes> hashes, octets;
  std::vector<Number> sizes, codings;
  for (const auto& [hash, body] : bodies_) {
    locked.insert(bucket_of(hash));
    hashes.emplace_back(hash);
    octets.emplace_back(body.second.bytes);
    sizes.emplace_back(static_cast<std::int64_t>(body.first));
    codings.emplace_back(body.second.coding);
  }
  const std::vector<Number> asked(locked.begin(), locked.end());
  return {{"SELECT pg_catalog.pg_advisory_xact_lock_shared(" + std::to_string(lock_space) +
               ", n::int) FROM pg_catalog.unnest($1) AS n ORDER BY n",
           Parameters().numbers(asked)},
          {"INSERT INTO body(hash, size, coding, octets) SELECT * FROM unnest($1, $2, $3, $4)"
           " AS n(hash, size, coding, octets) ORDER BY n.hash ON CONFLICT DO NOTHING",
           Parameters().byte_strings(hashes).numbers(sizes).numbers(codings).byte_strings(octets)}};
}

}  // namespace robotrules::store::postgres
