#include "servers/postgres/postgres_schema.hpp"

#include <utility>
#include <vector>

#include "servers/postgres/queue/queue_tables.hpp"
#include "servers/postgres/trusted_schema.hpp"
#include "store/packing.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

// Tables of a large store may be rewritten by an upgrade, and another process may be upgrading them now.
constexpr std::chrono::minutes upgrade_limit{10};

// Step i upgrades a schema from version i to version i + 1. A step is never changed after a release; new ones are
// added. Texts that sites choose are bytea, because a text of PostgreSQL has neither NUL nor bytes that are not UTF-8.
// Times are microseconds since 1970.
const std::vector<std::vector<const char*>>& steps() {
  static const std::vector<std::vector<const char*>> all{
      {
          // The processes that use the store. One whose time has ended is dead for good: it may not prolong it.
          "CREATE TABLE owner(id bigint PRIMARY KEY, ends_at bigint NOT NULL)",
          // A row changes twice a visit, so each page has room for new versions of its rows, and no index has to
          // follow. holds: see packing.hpp.
          "CREATE TABLE gate(key bytea PRIMARY KEY, interval bigint NOT NULL DEFAULT 0,"
          " source bigint NOT NULL DEFAULT 0, armed_at bigint NOT NULL DEFAULT 0,"
          " penalty_until bigint NOT NULL DEFAULT 0, incident_at bigint NOT NULL DEFAULT 0,"
          " incidents bigint NOT NULL DEFAULT 0, visits bigint NOT NULL DEFAULT 0, last_visit bigint,"
          " fence bigint NOT NULL DEFAULT 0, latency bigint NOT NULL DEFAULT 0, holds bytea)"
          " WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)",
          // Origins with equal bodies share one row of body. hash: SHA-256. coding 0: not compressed, 1: zstd.
          "CREATE TABLE body(hash bytea PRIMARY KEY, size bigint NOT NULL, coding bigint NOT NULL, octets bytea NOT "
          "NULL)",
          "ALTER TABLE body ALTER COLUMN octets SET STORAGE EXTERNAL",
          // outcome null: there is no record, only a lease. url null: the URL is the origin's own /robots.txt. A lease
          // that has ended has its fence negated. version: rises with each change of the record.
          "CREATE TABLE robots(origin bytea PRIMARY KEY, body bytea, outcome bigint, status bigint, url bytea,"
          " hops bytea, etag bytea, last_modified bytea, fetched_at bigint, fresh_until bigint, failing_since bigint,"
          " failures bigint, truncated bigint NOT NULL DEFAULT 0, version bigint NOT NULL DEFAULT 0,"
          " lease_fence bigint NOT NULL DEFAULT 0, lease_until bigint NOT NULL DEFAULT 0, lease_owner bigint)"
          " WITH (fillfactor = 80)",
          "CREATE INDEX robots_body ON robots(body)",
      },
      make_queue_tables(),
      add_found_and_digest(),
      add_page_url(),
      // Rows of refusals and of failures. A process of an older version leaves these columns as they are.
      {"ALTER TABLE gate ADD COLUMN recovery bigint NOT NULL DEFAULT 0,"
       " ADD COLUMN failures bigint NOT NULL DEFAULT 0, ADD COLUMN failing_since bigint NOT NULL DEFAULT 0,"
       " ADD COLUMN failed_at bigint NOT NULL DEFAULT 0"},
  };
  return all;
}

Error foreign(const Pool& pool) {
  return {"store-foreign", "The schema " + pool.settings().schema + " of the database " + pool.shown() +
                               " has tables, but is not a store of robotrules: give the name of another schema "
                               "(?schema=NAME)"};
}

// What is in the schema now.
struct Found {
  bool has_schema = false;
  bool has_meta = false;
  bool has_others = false;
  std::size_t version = 0;
};

Statement count_tables(const std::string& schema) {
  return {
      "SELECT count(*) FILTER (WHERE relname = 'meta'), count(*) FILTER (WHERE relname <> 'meta'),"
      " pg_catalog.current_setting('transaction_read_only') = 'on' FROM pg_class JOIN pg_namespace"
      " ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'm', 'f')",
      Parameters().text(schema)};
}

// Fails with "store-refused" if the user lacks a right on a table of the store.
Result<void> check_rights(const Pool& pool, Transaction& transaction) {
  const std::string& schema = pool.settings().schema;
  auto rights = transaction.run(
      {{"SELECT pg_catalog.string_agg(wanted || ' on ' || pg_catalog.quote_ident($1) || '.' || "
        "pg_catalog.quote_ident(relname), ', ')"
        " FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace,"
        " pg_catalog.unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS wanted"
        " WHERE nspname = $1 AND relkind = 'r' AND NOT pg_catalog.has_table_privilege(pg_class.oid, wanted)",
        Parameters().text(schema)},
       {"SELECT pg_catalog.has_schema_privilege($1, 'USAGE')", Parameters().text(schema)}});
  if (!rights) return rights.error();
  std::string missing(rights.value()[0].bytes(0, 0));
  if (rights.value()[1].number(0, 0) == 0) missing = "USAGE on schema " + quoted(schema);
  if (missing.empty()) return {};
  return Error{"store-refused", "The user of the store " + pool.shown() + " lacks rights on its tables: grant " +
                                    missing + " (docs/operations.md)"};
}

Result<Found> find_tables(const Pool& pool, Transaction& transaction) {
  const Settings& settings = pool.settings();
  // First whether the schema exists: one that another role makes after that cannot pass for a schema that was checked.
  auto answers = transaction.run({use_catalog(),
                                  {"SELECT 1 FROM pg_namespace WHERE nspname = $1", Parameters().text(settings.schema)},
                                  find_foreign(settings),
                                  count_tables(settings.schema),
                                  use_schema(settings.schema)});
  if (!answers) return answers.error();
  if (auto unsafe = foreign_in(answers.value()[2], settings)) return *std::move(unsafe);
  const Rows& counts = answers.value()[3];
  if (counts.number(0, 2) != 0) return statement_error("25006", "its transactions are read-only", pool.shown());
  Found found{answers.value()[1].size() != 0, counts.number(0, 0) != 0, counts.number(0, 1) != 0, 0};
  if (!found.has_meta) return found.has_others ? Result<Found>(foreign(pool)) : found;
  if (auto checked = check_rights(pool, transaction); !checked) return checked.error();
  auto versions = transaction.run({read_meta("version")});
  if (!versions) return versions.error().code == "store-damaged" ? foreign(pool) : versions.error();
  const auto version = known_version(pool, versions.value().front());
  if (!version) return version.error();
  found.version = version.value();
  return found;
}

// Makes the tables or upgrades them, in one transaction. Another process that does the same waits.
Result<void> upgrade(Pool& pool) {
  return pool.transact(upgrade_limit, [&](Transaction& transaction) -> Result<void> {
    const std::string& schema = pool.settings().schema;
    auto locked =
        transaction.run({{"SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($1, 1383031412))",
                          Parameters().text(schema)}});
    if (!locked) return locked.error();
    const auto found = find_tables(pool, transaction);
    if (!found) return found.error();
    if (found.value().has_meta && found.value().version == schema_version) return {};
    Batch batch;
    if (!found.value().has_meta) {
      const std::string visited = pool.settings().first_ever ? ""
                                                             : "SELECT 'just_visited', pg_catalog.convert_to(" +
                                                                   std::string(sql_now) + "::text, 'UTF8') UNION ALL ";
      // A schema that exists needs no right to make one.
      if (!found.value().has_schema) batch.push_back({"CREATE SCHEMA " + quoted(schema)});
      // The path leaves out a schema that the user may not use, and the next place on it is for temporary tables.
      batch.push_back({"CREATE TABLE " + quoted(schema) + ".meta(name text PRIMARY KEY, value bytea NOT NULL)"});
      batch.push_back({"INSERT INTO meta " + visited + "SELECT 'server', pg_catalog.convert_to(" +
                       std::string(sql_server_start) + "::text, 'UTF8')"});
    }
    for (std::size_t step = found.value().version; step < schema_version; ++step) {
      for (const char* sql : steps()[step]) batch.push_back({sql});
    }
    batch.push_back(set_meta("version", std::to_string(schema_version)));
    batch.push_back(use_catalog());
    batch.push_back(find_foreign(pool.settings()));
    auto made = transaction.run(std::move(batch));
    if (!made) return made.error();
    if (auto unsafe = foreign_in(made.value().back(), pool.settings())) return *std::move(unsafe);
    return without_value(transaction.commit());
  });
}

}  // namespace

Statement read_meta(std::string_view name) {
  return {"SELECT value FROM meta WHERE name = $1", Parameters().text(name)};
}

Statement set_meta(std::string_view name, std::string_view value) {
  return {"INSERT INTO meta VALUES($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2",
          Parameters().text(name).bytes(value)};
}

Result<std::size_t> known_version(const Pool& pool, const Rows& rows) {
  const std::string text = meta_in(rows);
  const auto version = number_in(text);
  if (!version || *version < 0) return foreign(pool);
  if (*version <= std::int64_t{schema_version}) return static_cast<std::size_t>(*version);
  return Error{"store-newer", "The store " + pool.shown() + " has version " + text +
                                  " of its tables, and this program knows versions up to " +
                                  std::to_string(schema_version) + ": use a newer robotrules"};
}

std::string meta_in(const Rows& rows) { return rows.size() == 0 ? std::string() : std::string(rows.bytes(0, 0)); }

Result<std::shared_ptr<Pool>> open_database(const std::string& name, const ServerStoreOptions& options, Plans plans) {
  auto settings = read_settings(name);
  if (!settings) return settings.error();
  auto pool = std::make_shared<Pool>(std::move(settings).value(), options, plans);
  const auto found =
      pool->transact([&](Transaction& transaction) -> Result<Found> { return find_tables(*pool, transaction); });
  if (!found) return found.error();
  if (!found.value().has_meta || found.value().version < schema_version) {
    if (auto upgraded = upgrade(*pool); !upgraded) return upgraded.error();
  }
  auto time = pool->read({{"SELECT " + std::string(sql_now)}});
  if (!time) return time.error();
  pool->clock().set(Timestamp(std::chrono::microseconds(time.value().front().number(0, 0))));
  return pool;
}

}  // namespace robotrules::store::postgres
