#include "store/sqlite/sqlite_schema.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/robots_policy.hpp>

#include "store/gate_row.hpp"
#include "store/kept_store.hpp"
#include "store/machine_clock.hpp"
#include "store/packing.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"
#include "store/sqlite/repair_place.hpp"

namespace robotrules::store {
namespace {

constexpr std::int64_t application_id = 0x526F6274;  // "Robt" in the file's header, for file(1)

// Step i upgrades a file from version i to version i + 1. A step is never changed; new ones are added.
constexpr const char* steps[] = {
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;"
    // Origins with equal bodies share one row of body. coding 0: not compressed, 1: zstd.
    "CREATE TABLE body(id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, size INTEGER NOT NULL,"
    " coding INTEGER NOT NULL, octets BLOB NOT NULL);"
    // url null: the URL is the origin's own /robots.txt. Times are microseconds since 1970.
    "CREATE TABLE robots(origin TEXT PRIMARY KEY, body INTEGER, outcome INTEGER, status INTEGER, url TEXT, hops TEXT,"
    " etag BLOB, last_modified BLOB, fetched_at INTEGER, fresh_until INTEGER, failing_since INTEGER, failures INTEGER,"
    " lease_fence INTEGER NOT NULL DEFAULT 0, lease_until INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
    "CREATE INDEX robots_body ON robots(body);"
    "CREATE TABLE gate(key TEXT PRIMARY KEY, interval INTEGER NOT NULL, source INTEGER NOT NULL,"
    " next_at INTEGER NOT NULL, penalty_until INTEGER NOT NULL, incident_at INTEGER NOT NULL,"
    " incidents INTEGER NOT NULL, visits INTEGER NOT NULL, last_visit INTEGER, fence INTEGER NOT NULL, holds BLOB)"
    " WITHOUT ROWID;",
    "ALTER TABLE robots ADD COLUMN truncated INTEGER NOT NULL DEFAULT 0;",
    // The queue of a crawl. rank: the negated priority; the rank of a site is the least rank of its pending URLs.
    // state: UrlState. url: the whole URL, or the part after the site's origin. method null: GET. ids are 1, 2, 3 and
    // so on without a gap. A row of queue_hash has the hashes of the URLs from the id `first` on (SipHash with the key
    // queue_salt, 8 bytes each), which were added together. If they are removed, it has their number as an integer. The
    // index of the hashes is only in memory: for an index in the file, every added URL would change
    // another page.
    "CREATE TABLE queue_site(id INTEGER PRIMARY KEY, origin TEXT NOT NULL UNIQUE, pending INTEGER NOT NULL,"
    " rank INTEGER NOT NULL);"
    "CREATE INDEX queue_site_pending ON queue_site(rank) WHERE pending > 0;"
    "CREATE TABLE queue(id INTEGER PRIMARY KEY, site INTEGER NOT NULL, rank INTEGER NOT NULL, state INTEGER NOT NULL,"
    " url TEXT NOT NULL, method TEXT, headers BLOB, status INTEGER, why TEXT, etag BLOB, last_modified BLOB, at "
    "INTEGER,"
    " bytes INTEGER);"
    "CREATE INDEX queue_pending ON queue(site, rank) WHERE state = 0;"
    "CREATE TABLE queue_hash(first INTEGER PRIMARY KEY, hashes BLOB NOT NULL);"
    "CREATE TABLE queue_count(state INTEGER PRIMARY KEY, urls INTEGER NOT NULL);"
    "INSERT INTO queue_count VALUES(0, 0), (1, 0), (2, 0), (3, 0), (4, 0);"
    "CREATE TABLE queue_output(name TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;"
    "INSERT OR REPLACE INTO meta VALUES('queue_salt', randomblob(16));",
    // lease_owner: the process that has the lease. Holds contain their owners (packing.hpp); older holds have none.
    "ALTER TABLE robots ADD COLUMN lease_owner BLOB;",
    // armed_at: start of the interval; the next request says how long it is. latency: of the last response.
    "ALTER TABLE gate RENAME COLUMN next_at TO armed_at;"
    "UPDATE gate SET armed_at = armed_at - interval;"
    "ALTER TABLE gate ADD COLUMN latency INTEGER NOT NULL DEFAULT 0;",
    // Several crawls in one file. The sites, counts and outputs of a queue belong to a job; an older queue becomes the
    // job with the id 1. fence: the number of the last claim. note: a text of the program.
    "CREATE TABLE job(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fence INTEGER NOT NULL DEFAULT 0,"
    " note TEXT NOT NULL DEFAULT '');"
    "INSERT INTO job(id, name) SELECT 1, 'crawl' WHERE EXISTS(SELECT 1 FROM queue_site)"
    " OR EXISTS(SELECT 1 FROM queue_output);"
    "ALTER TABLE queue_site RENAME TO site_before;"
    "DROP INDEX queue_site_pending;"
    "CREATE TABLE queue_site(id INTEGER PRIMARY KEY, origin TEXT NOT NULL, pending INTEGER NOT NULL,"
    " rank INTEGER NOT NULL, job INTEGER NOT NULL, UNIQUE(origin, job));"
    "INSERT INTO queue_site SELECT id, origin, pending, rank, 1 FROM site_before;"
    "DROP TABLE site_before;"
    "CREATE INDEX queue_site_pending ON queue_site(job, rank) WHERE pending > 0;"
    "ALTER TABLE queue_count RENAME TO count_before;"
    "CREATE TABLE queue_count(job INTEGER NOT NULL, state INTEGER NOT NULL, urls INTEGER NOT NULL,"
    " PRIMARY KEY(job, state)) WITHOUT ROWID;"
    "INSERT INTO queue_count SELECT 1, state, urls FROM count_before WHERE EXISTS(SELECT 1 FROM job);"
    "INSERT INTO queue_count SELECT id, 5, 0 FROM job;"
    "DROP TABLE count_before;"
    "ALTER TABLE queue_output ADD COLUMN job INTEGER NOT NULL DEFAULT 1;",
    // UrlResult::page_at and UrlResult::warning.
    "ALTER TABLE queue ADD COLUMN page_at INTEGER; ALTER TABLE queue ADD COLUMN warning TEXT;",
    // QueuedUrl::found and UrlResult::digest.
    "ALTER TABLE queue ADD COLUMN found BLOB; ALTER TABLE queue ADD COLUMN digest TEXT;",
    // UrlResult::page_url.
    "ALTER TABLE queue ADD COLUMN page_url BLOB;",
    // Rows of refusals and of failures. An older version that still has the file open leaves these columns as they are.
    "ALTER TABLE gate ADD COLUMN recovery INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE gate ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE gate ADD COLUMN failing_since INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE gate ADD COLUMN failed_at INTEGER NOT NULL DEFAULT 0;",
};
static_assert(std::size(steps) == schema_version);

Result<std::int64_t> number(Database& database, const char* sql) {
  const auto found = find_number(database, sql, {});
  return found ? Result<std::int64_t>(found.value().value_or(0)) : found.error();
}

// Returns the SQL of all tables and indexes, in the order of their names.
Result<std::string> definitions(Database& database) {
  std::string all;
  auto read = run(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name", {},
                  [&](const Statement& row) { all.append(row.bytes(only_column)).append(";"); });
  return read ? Result<std::string>(std::move(all)) : read.error();
}

Error foreign(const Database& database) {
  return {
      "store-foreign",
      "The file " + database.path() +
          " is a database, but not a store of robotrules: give another path. If it was a store, its header is damaged: "
          "run robotrules db " +
          database.path() + " check"};
}

// Makes the tables, or upgrades older ones. Returns true if the file is new. Precondition: a transaction, so that the
// version cannot change meanwhile.
Result<bool> upgrade_tables(Database& database) {
  auto is_new = check_header(database);
  if (!is_new) return is_new;
  const auto version = version_in_header(database);
  if (!version) return version.error();
  for (std::int64_t step = version.value(); step < schema_version; ++step) {
    const std::string sql = std::string(steps[step]) + "PRAGMA user_version = " + std::to_string(step + 1) + ";" +
                            "PRAGMA application_id = " + std::to_string(application_id) + ";";
    if (auto run = database.run(sql.c_str()); !run) return run.error();
  }
  return is_new;
}

// Returns the clock of the file. If the machine was restarted since the file was last opened, or if the file is new,
// begins a new clock and ends all leases.
Result<FileTime> load_file_time(Database& database, const SqliteStoreOptions& options, bool is_new) {
  const Timestamp wall = options.time.wall ? options.time.wall() : wall_time();
  const auto since_boot = options.time.since_boot ? options.time.since_boot() : time_since_boot();
  const std::string boot = options.time.boot_id ? options.time.boot_id() : boot_id();
  auto kept = kept_time(database);
  if (!kept) return kept.error();

  FileTime time;
  time.just_visited = kept.value().just_visited;
  // If the run of the machine has no name, every opening of the file counts as a restart.
  if (!boot.empty() && kept.value().boot == boot && kept.value().start) {
    time.offset = kept.value().start->time_since_epoch();
  } else {
    time.offset = wall.time_since_epoch() - since_boot;
    if (database.is_read_only()) {
      time.just_visited = Timestamp(time.offset + since_boot);
      return time;
    }
    if (!is_new || !options.first_ever || !find_traces_beside(database.path()).empty()) {
      time.just_visited = Timestamp(time.offset + since_boot);
      const std::string visited = std::to_string(time.just_visited->time_since_epoch().count());
      if (auto set = set_meta(database, "just_visited", visited); !set) return set.error();
    }
    // The owners of leases have ended. A record with a fetch time in the future of the new clock is not fresh.
    const std::string ended =
        "UPDATE robots SET lease_fence = -lease_fence WHERE lease_fence > 0;"
        "UPDATE robots SET fresh_until = 0 WHERE fetched_at > " +
        std::to_string((time.offset + since_boot).count()) + ";";
    if (auto run = database.run(ended.c_str()); !run) return run.error();
    if (auto set = set_meta(database, "boot_id", boot); !set) return set.error();
    if (auto set = set_meta(database, "clock_offset", std::to_string(time.offset.count())); !set) return set.error();
  }
  // just_visited was the current time once, and the clock cannot be set, so it cannot be in the future.
  if (time.just_visited > Timestamp(time.offset + since_boot)) return database.damaged(" (its clock can't be read)");
  return time;
}

}  // namespace

Result<std::string> meta(Database& database, std::string_view name) {
  std::string value;
  auto read = run(database, "SELECT value FROM meta WHERE name = ?1", {name},
                  [&](const Statement& row) { value = row.bytes(only_column); });
  return read ? Result<std::string>(std::move(value)) : read.error();
}

Result<void> set_meta(Database& database, std::string_view name, std::string_view value) {
  return run(database, "INSERT OR REPLACE INTO meta(name, value) VALUES(?1, ?2)", {name, value});
}

Error unreadable_policy(const Database& database, const Error& why) {
  if (why.code != "policy-newer") return database.damaged(" (its policy can't be read)");
  return {"store-newer", "The policy of the store " + database.path() +
                             " was written by a newer version of robotrules (" + why.message +
                             "): use that version. If there is none, robotrules db " + database.path() +
                             " check --repair replaces the policy by \"strict\""};
}

Result<std::optional<RobotsPolicy>> kept_policy(Database& database) {
  return policy_in(meta(database, policy_setting), [&](const Error& why) { return unreadable_policy(database, why); });
}

Result<KeptTime> kept_time(Database& database) {
  KeptTime kept;
  auto boot = meta(database, "boot_id");
  if (!boot) return boot.error();
  kept.boot = std::move(boot).value();
  for (const auto& [name, time] : {std::pair{"clock_offset", &kept.start}, {"just_visited", &kept.just_visited}}) {
    const auto text = meta(database, name);
    if (!text) return text.error();
    if (text.value().empty()) continue;
    *time = time_in(text.value());
    if (!*time) return database.damaged(" (its clock can't be read)");
  }
  return kept;
}

Result<std::int64_t> version_in_header(Database& database) { return number(database, "PRAGMA user_version"); }

namespace {

// The definitions of each version, from the first on.
Result<std::vector<std::string>> definitions_of_versions() {
  const auto model = Database::open_temporary();
  if (!model) return model.error();
  std::vector<std::string> all;
  for (const char* step : steps) {
    if (auto made = model.value()->run(step); !made) return made.error();
    auto known = definitions(*model.value());
    if (!known) return known.error();
    all.push_back(std::move(known).value());
  }
  return all;
}

}  // namespace

Result<std::optional<std::int64_t>> version_by_tables(Database& database) {
  const auto told = definitions(database);
  if (!told) return told.error();
  static const Result<std::vector<std::string>> known = definitions_of_versions();
  if (!known) return known.error();
  const auto found = std::ranges::find(known.value(), told.value());
  if (found == known.value().end()) return std::optional<std::int64_t>();
  return std::optional<std::int64_t>(found - known.value().begin() + 1);
}

Result<bool> check_header(Database& database) {
  auto version = version_in_header(database);
  if (!version) return version.error();
  auto id = number(database, "PRAGMA application_id");
  if (!id) return id.error();
  auto tables = number(database, "SELECT count(*) FROM sqlite_schema");
  if (!tables) return tables.error();
  const bool is_new = version.value() == 0 && tables.value() == 0;
  if (!is_new && id.value() != application_id) return foreign(database);
  if (!is_new && version.value() < 1) return database.damaged(" (the version of its tables is lost)");
  if (version.value() > schema_version) {
    return Error{"store-newer", "The store " + database.path() +
                                    " was written by a newer version of robotrules (its tables have version " +
                                    std::to_string(version.value()) + ", this program reads versions up to " +
                                    std::to_string(schema_version) +
                                    "): use that version of robotrules, or give another path. If there "
                                    "is none, the file's header is damaged: run robotrules db " +
                                    database.path() + " check"};
  }
  return is_new;
}

std::size_t missing_columns(Database& database) {
  constexpr std::int64_t first_columns = 14;  // of version 1; versions 2 and 4 added one each
  const auto columns = number(database, "SELECT count(*) FROM pragma_table_info('robots')");
  const auto extra = columns ? columns.value() - first_columns : 2;
  return extra == 0 ? 2 : extra == 1 ? 1 : 0;
}

Result<void> check_tables(Database& database) {
  const auto version = version_in_header(database);
  if (!version) return version.error();
  struct Query {
    std::int64_t since;  // the version that added these columns
    const char* sql;
  };
  static constexpr Query queries[] = {
      {1, "SELECT name, value FROM meta LIMIT 0"},
      {1, "SELECT id, hash, size, coding, octets FROM body LIMIT 0"},
      {1,
       "SELECT origin, body, outcome, status, url, hops, etag, last_modified, fetched_at, fresh_until, failing_since,"
       " failures, lease_fence, lease_until FROM robots LIMIT 0"},
      {1,
       "SELECT key, interval, source, penalty_until, incident_at, incidents, visits, last_visit, fence, holds"
       " FROM gate LIMIT 0"},
      {2, "SELECT truncated FROM robots LIMIT 0"},
      {3, "SELECT id, origin, pending, rank FROM queue_site INDEXED BY queue_site_pending WHERE pending > 0 LIMIT 0"},
      {3,
       "SELECT id, site, rank, state, url, method, headers, status, why, etag, last_modified, at, bytes FROM queue"
       " INDEXED BY queue_pending WHERE state = 0 LIMIT 0"},
      {3, "SELECT first, hashes FROM queue_hash LIMIT 0"},
      {3, "SELECT state, urls FROM queue_count LIMIT 0"},
      {3, "SELECT name, position FROM queue_output LIMIT 0"},
      {4, "SELECT lease_owner FROM robots LIMIT 0"},
      {5, "SELECT armed_at, latency FROM gate LIMIT 0"},
      {6, "SELECT id, name, fence, note FROM job LIMIT 0"},
      {6, "SELECT job FROM queue_site INDEXED BY queue_site_pending WHERE pending > 0 LIMIT 0"},
      {6, "SELECT job FROM queue_count LIMIT 0"},
      {6, "SELECT job FROM queue_output LIMIT 0"},
      {7, "SELECT page_at, warning FROM queue LIMIT 0"},
      {8, "SELECT found, digest FROM queue LIMIT 0"},
      {9, "SELECT page_url FROM queue LIMIT 0"},
      {10, "SELECT recovery, failures, failing_since, failed_at FROM gate LIMIT 0"},
  };
  for (const auto& [since, sql] : queries) {
    if (version.value() < since) continue;
    if (const auto known = database.prepared(sql); !known) return known.error();
  }
  return {};
}

namespace {

// Checks a file that is opened to be read only. Fails with "store-older" if its tables would have to be upgraded.
Result<void> check_to_read(Database& database) {
  const auto version = version_in_header(database);
  if (!version) return version.error();
  if (version.value() == schema_version) return check_tables(database);
  return Error{"store-older", "The store " + database.path() +
                                  " was written by an older version of robotrules and can't be upgraded, because it "
                                  "is read-only: copy it to a folder that you own"};
}

// Makes the tables or upgrades them, and calls `then(is_new)` in the same transaction.
template <class Then>
auto prepare(Database& database, const SqliteStoreOptions& options, Then then) -> decltype(then(true)) {
  // Another process may make the same file at this moment.
  auto ours = in_read_transaction(database, [&] { return check_header(database); });
  if (!ours) return ours.error();
  if (database.is_read_only()) {
    if (auto whole = in_read_transaction(database, [&] { return check_to_read(database); }); !whole)
      return whole.error();
    return then(false);
  }
  const bool full = options.durability == Durability::full;
  // A new file gets its tables in one transaction with a rollback journal, so a process that is killed leaves an empty
  // file or a whole store, and no log beside an empty file.
  const auto set_log = [&] { return database.run_patiently("PRAGMA journal_mode = WAL"); };
  const bool without_log = ours.value();
  if (auto run = without_log ? Result<void>() : set_log(); !run) return run.error();
  if (auto run = database.run(full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"); !run)
    return run.error();
  if (auto run = database.run("PRAGMA cell_size_check = ON"); !run) return run.error();
  auto done = in_transaction(database, [&]() -> decltype(then(true)) {
    auto is_new = upgrade_tables(database);
    if (!is_new) return is_new.error();
    if (auto whole = check_tables(database); !whole) return whole.error();
    if (full && !without_log) database.preallocate_log();
    return then(is_new.value());
  });
  if (!done) return done;
  database.keep_log(false);
  if (!without_log) return done;
  if (auto run = set_log(); !run) return run.error();
  if (!full) return done;
  const auto preallocated = in_transaction(database, [&]() -> Result<void> {
    database.preallocate_log();
    return {};
  });
  return preallocated ? std::move(done) : decltype(done)(preallocated.error());
}

}  // namespace

Result<FileTime> prepare_schema(Database& database, const SqliteStoreOptions& options) {
  return prepare(database, options, [&](bool is_new) { return load_file_time(database, options, is_new); });
}

Result<void> prepare_tables(Database& database, const SqliteStoreOptions& options) {
  return prepare(database, options, [&](bool is_new) -> Result<void> {
    if (!is_new) return {};
    const auto time = load_file_time(database, options, is_new);
    return time ? Result<void>() : time.error();
  });
}

Result<void> prepare_temporary(Database& database) {
  for (const char* sql : {"PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF"}) {
    if (auto run = database.run(sql); !run) return run;
  }
  return in_transaction(database, [&]() -> Result<void> {
    const auto made = upgrade_tables(database);
    return made ? Result<void>() : made.error();
  });
}

}  // namespace robotrules::store
