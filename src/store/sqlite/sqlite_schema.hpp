// The tables of a file, their version, and the clock and policy in the table meta.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>
#include <robotrules/open_store.hpp>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

inline constexpr int schema_version = 10;

// The clock of an open file.
struct FileTime {
  std::chrono::microseconds offset{0};  // the store's time is the time since boot plus this
  std::optional<Timestamp> just_visited;
};

// The clock as it is stored in the file; null: there is none.
struct KeptTime {
  std::string boot;
  std::optional<Timestamp> start;  // when the machine started, by the store's clock
  std::optional<Timestamp> just_visited;
};
Result<KeptTime> kept_time(Database& database);

// Read and set values of the table meta. Empty: there is no such value.
Result<std::string> meta(Database& database, std::string_view name);
Result<void> set_meta(Database& database, std::string_view name, std::string_view value);

// Returns the policy for Store::policy(). Fails with "store-damaged" or "store-newer": unreadable_policy().
Error unreadable_policy(const Database& database, const Error& why);
Result<std::optional<RobotsPolicy>> kept_policy(Database& database);

// Returns true if the file is new. Fails with "store-foreign", "store-newer" or "store-damaged". Writes nothing.
Result<bool> check_header(Database& database);

// Returns the version of the tables according to the file's header.
Result<std::int64_t> version_in_header(Database& database);
// Returns the version according to the definitions of tables and indexes, whatever the header says. Null: the
// definitions are those of no version.
Result<std::optional<std::int64_t>> version_by_tables(Database& database);

// Returns how many columns the table robots of an older version lacks: 2 (`truncated` and the owners of leases), 1 (the
// owners of leases) or 0.
std::size_t missing_columns(Database& database);

// Fails with "store-damaged" unless all tables and their columns exist.
Result<void> check_tables(Database& database);

// Makes the tables, or upgrades older ones to this version. Fails as open_sqlite_store() does.
Result<FileTime> prepare_schema(Database& database, const SqliteStoreOptions& options);
// Does the same for a caller that needs no clock. In an existing file, the clock is left as it is.
Result<void> prepare_tables(Database& database, const SqliteStoreOptions& options);
// Makes the tables in a temporary database. It does not have to survive a crash, so it never waits for the disk.
Result<void> prepare_temporary(Database& database);

}  // namespace robotrules::store
