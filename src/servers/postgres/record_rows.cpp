#include "servers/postgres/record_rows.hpp"

#include <array>
#include <set>

#include "servers/postgres/postgres_schema.hpp"
#include "store/record_columns.hpp"

namespace robotrules::store::postgres {

Statement put_statement(TableWriter rows, bool newer_only) {
  const std::string names = names_of(record_columns);
  std::string sql =
      "INSERT INTO robots(" + names + ", version) SELECT n.*, " + std::string(sql_now) + " FROM unnest(" +
      places_of(record_columns, '$') + ") AS n(" + names + ") ORDER BY n.origin ON CONFLICT (origin) DO UPDATE SET " +
      assignments_of(record_columns, "excluded.") + ", version = greatest(robots.version + 1, excluded.version)";
  if (newer_only) sql += " WHERE robots.outcome IS NULL OR excluded.fetched_at >= robots.fetched_at";
  return {std::move(sql), std::move(rows).parameters()};
}

void BodyWriter::add(const std::string& hash, const std::string& body) {
  const auto [added, is_new] = bodies_.emplace(hash, std::pair(body.size(), pack_body(body)));
  if (is_new) bytes_ += added->second.second.bytes.size();
}

Batch BodyWriter::statements() const {
  static constexpr std::array columns{SqlColumn{"hash", ValueKind::bytes}, SqlColumn{"size"}, SqlColumn{"coding"},
                                      SqlColumn{"octets", ValueKind::bytes}};
  std::set<std::int64_t> locked;
  TableWriter rows(columns);
  for (const auto& [hash, body] : bodies_) {
    locked.insert(bucket_of(hash));
    rows.add(
        std::array<SqlValue, 4>{hash, static_cast<std::int64_t>(body.first), body.second.coding, body.second.bytes});
  }
  return {{"SELECT pg_catalog.pg_advisory_xact_lock_shared(" + std::to_string(lock_space) +
               ", n::int) FROM pg_catalog.unnest($1) AS n ORDER BY n",
           Parameters().numbers(std::vector<std::int64_t>(locked.begin(), locked.end()))},
          {"INSERT INTO body(hash, size, coding, octets) SELECT * FROM unnest($1, $2, $3, $4)"
           " AS n(hash, size, coding, octets) ORDER BY n.hash ON CONFLICT DO NOTHING",
           std::move(rows).parameters()}};
}

}  // namespace robotrules::store::postgres
