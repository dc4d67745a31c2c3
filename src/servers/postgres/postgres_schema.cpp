#include "servers/postgres/postgres_schema.hpp"

#include <utility>
#include <vector>

#include "servers/postgres/sql.hpp"
#include "servers/postgres/trusted_schema.hpp"
#include "store/packing.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

// Tables of a large store may be rewritten by an upgrade, and another process may be upgrading them now.
constexpr std::chrono::minutes upgrade_limit{10};

// Appends the statements that upgrade the tables to that version.
void append_step(std::size_t version, Batch& batch) {
  const std::string prefix = "version_" + std::to_string(version) + "_";
  for (const NamedSql& one : all_sql()) {
    if (one.name.starts_with(prefix)) batch.push_back({one.text});
  }
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

// Fails with "store-refused" if the user lacks a right on a table of the store.
Result<void> check_rights(const Pool& pool, Transaction& transaction) {
  const std::string& schema = pool.settings().schema;
  auto rights = transaction.run(
      {{sql("missing_rights"), Parameters().text(schema)}, {sql("may_use_schema"), Parameters().text(schema)}});
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
                                  {sql("find_schema"), Parameters().text(settings.schema)},
                                  find_foreign(settings),
                                  {sql("count_tables"), Parameters().text(settings.schema)},
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
    auto locked = transaction.run({{sql("lock_upgrade"), Parameters().text(schema)}});
    if (!locked) return locked.error();
    const auto found = find_tables(pool, transaction);
    if (!found) return found.error();
    if (found.value().has_meta && found.value().version == schema_version) return {};
    Batch batch;
    if (!found.value().has_meta) {
      // A schema that exists needs no right to make one.
      if (!found.value().has_schema) batch.push_back({"CREATE SCHEMA " + quoted(schema)});
      // The path leaves out a schema that the user may not use, and the next place on it is for temporary tables.
      batch.push_back({"CREATE TABLE " + quoted(schema) + ".meta(name text PRIMARY KEY, value bytea NOT NULL)"});
      batch.push_back({sql("add_server")});
      if (!pool.settings().first_ever) batch.push_back({sql("add_just_visited")});
    }
    for (std::size_t version = found.value().version; version < schema_version;) append_step(++version, batch);
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

Statement read_meta(std::string_view name) { return {sql("read_meta"), Parameters().text(name)}; }

Statement set_meta(std::string_view name, std::string_view value) {
  return {sql("set_meta"), Parameters().text(name).bytes(value)};
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
  auto time = pool->read({{sql("read_now")}});
  if (!time) return time.error();
  pool->clock().set(time_of(time.value().front().number(0, 0)));
  return pool;
}

}  // namespace robotrules::store::postgres
