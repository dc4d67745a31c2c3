// The tables, their version, and what the file knows of its machine.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/result.hpp>
#include <robotrules/sqlite_store.hpp>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

inline constexpr int schema_version = 5;

// What opening a file tells about time.
struct FileTime {
  std::chrono::microseconds offset{0};  // of the store's clock: add the time since boot
  std::optional<Timestamp> just_visited;
};

// The same as it stands in the file; null: not there.
struct KeptTime {
  std::string boot;
  std::optional<Timestamp> start;  // of the machine, by the store's clock
  std::optional<Timestamp> just_visited;
};
Result<KeptTime> kept_time(Database& database);

// Values of the table meta by their names; empty: not there.
Result<std::string> meta(Database& database, std::string_view name);
Result<void> set_meta(Database& database, std::string_view name, std::string_view value);

// The policy of Store::policy(). Errors "store-damaged" and "store-newer".
inline constexpr std::string_view policy_name = "policy";
Result<std::optional<RobotsPolicy>> kept_policy(Database& database);

// True where the file is new. Errors "store-foreign" and "store-newer"; nothing is written.
Result<bool> look_at_head(Database& database);

// The version of its tables, as the file's head tells it.
Result<std::int64_t> version_of(Database& database);
// The version whose tables and indexes the file has, whatever its head says; null: of none.
Result<std::optional<std::int64_t>> version_by_tables(Database& database);

// How many columns its table of records has. Those of version 1 are `first_columns`; 2 and 4 have brought one more
// each.
Result<std::int64_t> columns_of_robots(Database& database);
inline constexpr std::int64_t first_columns = 14;

// Are the tables there, with their columns? Error "store-damaged".
Result<void> look_at_tables(Database& database);

// Makes the tables, or brings older ones to this version. Errors as open_sqlite_store().
Result<FileTime> prepare_schema(Database& database, const SqliteStoreOptions& options);
// The same for who needs no time: of a file that is there already, what it says of it is left alone.
Result<void> prepare_tables(Database& database, const SqliteStoreOptions& options);
// Of a temporary database, which outlives no failure of the machine and so waits for no disk.
Result<void> prepare_temporary(Database& database);

}  // namespace robotrules::store
