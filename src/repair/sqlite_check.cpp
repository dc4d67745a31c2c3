// The check of a whole file.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <robotrules/open_store.hpp>

#include "base/escape.hpp"
#include "repair/rescue.hpp"
#include "repair/sqlite_problems.hpp"
#include "store/gate_row.hpp"
#include "store/packing.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/repair_place.hpp"
#include "store/sqlite/sqlite_gates.hpp"
#include "store/sqlite/sqlite_records.hpp"
#include "store/sqlite/sqlite_schema.hpp"

namespace robotrules {
namespace {

using base::excerpt;
using store::BodyColumn;
using store::Database;
using store::GateColumn;
using store::is_damage;
using store::only_column;
using store::Problems;
using store::read_all;
using store::RobotsColumn;
using store::Statement;

// Adds a problem if the header is damaged: it differs from the version of the tables. If the tables are those of no
// known version, fails as check_header() does, because the file is not a store or a newer version has written it.
Result<void> report_header(Database& database, Problems& problems) {
  const auto header = store::check_header(database);
  const bool unreadable = !header && is_damage(sqlite3_errcode(database.handle()));
  const auto by_tables = store::version_by_tables(database);
  const auto in_header = store::version_in_header(database);
  const bool ours = by_tables && by_tables.value();
  if (ours && in_header && (!header || in_header.value() != *by_tables.value())) {
    problems.add("the file's header is damaged: its tables have version " + std::to_string(*by_tables.value()));
  } else if (!header && header.error().code == "store-damaged") {
    problems.add(header.error().message);
  } else if (!header && !unreadable) {
    return header.error();
  }
  return {};
}

// The next functions read the file or one of its tables, add problems, and return the code with which reading ended.

// One row can have several lines.
int check_integrity(Database& database, Problems& problems) {
  return read_all(database, "PRAGMA integrity_check(100)", [&](const Statement& row) {
    std::string_view lines = row.bytes(only_column);
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      lines.remove_prefix(std::min(line.size() + 1, lines.size()));
      if (line != "ok" && line != "*** in database main ***") problems.add(excerpt(line));
    }
  });
}

bool has_tables(Database& database) {
  return read_all(database, "SELECT name FROM sqlite_schema", [](const Statement&) {}) == SQLITE_DONE;
}

// Also adds the ids of the bodies to `ids`.
int check_bodies(Database& database, Problems& problems, std::set<std::int64_t>& ids) {
  return read_all(database, "SELECT id, hash, size, coding, octets FROM body", [&](const Statement& row) {
    const std::int64_t id = row.integer(BodyColumn::id);
    const auto body = store::unpack_body(row.integer(BodyColumn::coding), row.bytes(BodyColumn::octets),
                                         row.integer(BodyColumn::size));
    if (!body || store::content_hash(*body) != row.bytes(BodyColumn::hash)) {
      problems.add("body " + std::to_string(id) + " is damaged");
    }
    ids.insert(id);
  });
}

int check_records(Database& database, Problems& problems, const std::set<std::int64_t>& bodies) {
  static constexpr const char* records[] = {"SELECT * FROM robots", "SELECT *, NULL FROM robots",
                                            "SELECT *, 0, NULL FROM robots"};
  return read_all(database, records[store::missing_columns(database)], [&](const Statement& row) {
    const std::string_view key = row.bytes(RobotsColumn::origin);
    const std::string name = excerpt(key);
    const auto origin = row.is(RobotsColumn::origin, store::ValueKind::text) ? Origin::of(key) : std::nullopt;
    RobotsRecord record;
    store::OwnedLease lease;
    if (!origin || origin->to_string() != key) {
      problems.add("\"" + name + "\" is not an origin");
    } else if (!row.is_null(RobotsColumn::outcome) && !store::read_record(row, *origin, record)) {
      problems.add("the record of " + name + " can't be read");
    }
    if (!store::read_lease(row, lease)) problems.add("the lease of " + name + " can't be read");
    if (!row.is_null(RobotsColumn::body) && !bodies.contains(row.integer(RobotsColumn::body)))
      problems.add("the body of " + name + " is missing");
  });
}

int check_gates(Database& database, Problems& problems) {
  return read_all(database, "SELECT * FROM gate", [&](const Statement& row) {
    store::GateRow gate;
    std::uint64_t fence = 0;
    if (!store::read_gate(row, gate, fence)) {
      problems.add("the gate of \"" + excerpt(row.bytes(GateColumn::key)) + "\" can't be read");
    }
  });
}

// Returns the code of the first table that cannot be read to its end, or SQLITE_DONE.
int check_rows(Database& database, Problems& problems) {
  std::set<std::int64_t> bodies;
  int code = check_bodies(database, problems, bodies);
  if (code == SQLITE_DONE) code = check_records(database, problems, bodies);
  if (code == SQLITE_DONE) code = check_gates(database, problems);
  if (code == SQLITE_DONE) code = store::find_queue_problems(database, problems);
  return code;
}

// Checks the definitions of the tables, the clock and the policy.
Result<void> check_settings(Database& database, Problems& problems, bool repair) {
  if (const auto whole = store::check_tables(database); !whole) problems.add(whole.error().message);
  if (const auto time = store::kept_time(database); !time) problems.add(time.error().message);
  if (const auto policy = store::kept_policy(database); !policy) {
    // A newer policy is not damage. If the file has no other fault, only a repair gives the newer policy up.
    if (policy.error().code == "store-newer" && !repair && !problems.any()) return policy.error();
    problems.add(policy.error().message);
  }
  return {};
}

// Adds the faults of the file to `problems`. Fails if the system cannot read the file, or if the file is not a store.
Result<void> find_problems(Database& database, Problems problems, bool repair) {
  if (auto looked = report_header(database, problems); !looked) return looked;
  const auto reason = [&] { return " (SQLite: " + excerpt(sqlite3_errmsg(database.handle())) + ")"; };
  if (const int code = check_integrity(database, problems); code != SQLITE_DONE) {
    if (!is_damage(code) && code != SQLITE_ERROR) return database.error(code);
    const std::string why = reason();
    if (!has_tables(database)) {
      problems.add("the file can't be read as a database");
      return {};
    }
    problems.add("the file can't be checked to its end" + why);
  }
  // If the header has a write version that SQLite does not know, SQLite does not write the file.
  if (sqlite3_db_readonly(database.handle(), "main") == 1 && access(database.path().c_str(), W_OK) == 0) {
    problems.add("the file's header says that the file is read-only");
  }
  const int code = check_rows(database, problems);
  if (code == SQLITE_DONE) return check_settings(database, problems, repair);
  // The file is a store, so a missing table is damage too.
  if (!is_damage(code) && code != SQLITE_ERROR) return database.error(code);
  problems.add("a table can't be read to its end" + reason());
  return {};
}

constexpr std::uintmax_t min_page_size = 512;
constexpr std::uintmax_t max_page_size = 65'536;

// Looks at the files beside an empty file, without opening it: SQLite would delete a log with bytes.
Result<StoreCheck> check_empty(const std::string& path) {
  StoreCheck report;
  const std::string trace = store::find_traces_beside(path);
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!trace.empty()) report.problems.push_back("the file is empty, but " + trace + " lies beside it");
  if (size > 0 && size < min_page_size) report.problems.push_back("the file is shorter than a page");
  if (size > max_page_size) report.problems.push_back("the file has pages, but no tables");
  report.is_empty = report.problems.empty();
  return report;
}

}  // namespace

Result<StoreCheck> check_sqlite_store(const std::string& path, bool repair) {
  SqliteStoreOptions options;
  options.create = false;
  auto checked = store::checked_path(path, options, repair ? store::Unfinished::finish : store::Unfinished::is_error);
  StoreCheck report;
  if (!checked && !repair && checked.error().code == "store-damaged") {  // a repair was interrupted
    report.problems.push_back(checked.error().message);
    return report;
  }
  if (!checked) return checked.error();
  const std::string& file = checked.value();
  const auto before = store::file_at(file);
  auto opened = repair ? Database::open_exclusive(file) : Database::open_unchecked(file);
  if (!opened) return opened.error();
  Database& database = *opened.value();
  database.keep_log(true);  // a check must change nothing
  // Another repair may have replaced the file before it was locked here.
  if (!before || store::file_at(file) != before)
    return Error{"store-busy", "The store " + file + " was replaced just now: try again"};
  const bool emptied = store::is_emptied(file);
  auto is_new = emptied ? Result<bool>(true) : store::check_header(database);
  if (is_new && is_new.value()) {
    report = check_empty(file).value();
    if (report.is_empty || !repair) return report;
  } else if (auto looked = find_problems(database, Problems(report.problems), repair); !looked) {
    return looked.error();
  }
  if (auto read = database.check_reads(); !read) return read.error();
  if (!repair) {
    report.leftovers = store::leftovers_of(file);
    return report;
  }
  if (report.problems.empty()) {
    store::remove_leftovers(file);
    return report;
  }
  if (auto repaired = store::repair(database, report); !repaired) return repaired.error();
  return report;
}

}  // namespace robotrules
