// The check of a whole file, and the repair of a damaged one.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include <robotrules/sqlite_store.hpp>

#include "base/escape.hpp"
#include "store/gate_row.hpp"
#include "store/packing.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/gates.hpp"
#include "store/sqlite/mended_copy.hpp"
#include "store/sqlite/problems.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/schema.hpp"

namespace robotrules {
namespace {

using base::excerpt;
using store::BodyColumn;
using store::Database;
using store::GateColumn;
using store::only_column;
using store::Problems;
using store::read_all;
using store::RobotsColumn;
using store::Statement;

// Returns how many columns the table robots of an older version lacks: 2 (`truncated` and the owners of leases), 1 (the
// owners of leases) or 0.
std::size_t missing_columns(Database& database) {
  const auto columns = store::columns_of_robots(database);
  const auto extra = columns ? columns.value() - store::first_columns : 2;
  return extra == 0 ? 2 : extra == 1 ? 1 : 0;
}

bool is_damage(int code) { return (code & 0xFF) == SQLITE_CORRUPT || (code & 0xFF) == SQLITE_NOTADB; }

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
  return read_all(database, records[missing_columns(database)], [&](const Statement& row) {
    const std::string_view key = row.bytes(RobotsColumn::origin);
    const std::string name = excerpt(key);
    const auto origin = row.type(RobotsColumn::origin) == SQLITE_TEXT ? Origin::of(key) : std::nullopt;
    RobotsRecord record;
    store::KeptLease lease;
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
  if (const int code = check_integrity(database, problems); code != SQLITE_DONE) {
    if (!is_damage(code) && code != SQLITE_ERROR) return database.error(code);
    if (!has_tables(database)) {
      problems.add("the file can't be read as a database");
      return {};
    }
  }
  // If the header has a write version that SQLite does not know, SQLite does not write the file.
  if (sqlite3_db_readonly(database.handle(), "main") == 1 && access(database.path().c_str(), W_OK) == 0) {
    problems.add("the file's header says that the file is read-only");
  }
  const int code = check_rows(database, problems);
  if (code == SQLITE_DONE) return check_settings(database, problems, repair);
  // The file is a store, so a missing table is damage too.
  if (!is_damage(code) && code != SQLITE_ERROR) return database.error(code);
  problems.add("a table can't be read to its end (SQLite: " + excerpt(sqlite3_errmsg(database.handle())) + ")");
  return {};
}

// Renames the damaged file and returns its new path: "PATH.damaged", or else the first of "PATH.damaged.2",
// "PATH.damaged.3" and so on that does not exist. Never replaces a file.
Result<std::string> move_aside(const std::string& path) {
  for (int number = 1; number < 1'000; ++number) {
    const std::string to = path + ".damaged" + (number == 1 ? "" : "." + std::to_string(number));
    if (access((to + "-wal").c_str(), F_OK) == 0 || access((to + "-shm").c_str(), F_OK) == 0) continue;
    if (link(path.c_str(), to.c_str()) != 0) continue;
    // The file is moved before its log. If the process ends in between, a log without its file does no harm, but a file
    // without its log would be an older version of the store.
    if (unlink(path.c_str()) != 0) {
      unlink(to.c_str());
      break;
    }
    for (const char* part : {"-wal", "-shm"}) std::rename((path + part).c_str(), (to + part).c_str());
    return to;
  }
  return Error{"store-io", "The damaged file " + path + " could not be renamed: check the permissions of its folder"};
}

// Copies the policy. A policy that cannot be read may have been strict, so a strict policy replaces it.
Result<void> keep_policy(const Result<std::optional<RobotsPolicy>>& policy, Store& to, StoreCheck& report) {
  report.policy_lost = !policy;
  if (!policy) return to.set_policy(RobotsPolicy::strict());
  return policy.value() ? to.set_policy(*policy.value()) : Result<void>();
}

// Copies records and gates from a damaged file to a new one: all before the first unreadable place and all after the
// last one.
class Rescue {
 public:
  Rescue(Database& from, Store& to, StoreCheck& report) : from_(from), to_(to), report_(report) {}

  Result<void> run() {
    read_all(from_, "SELECT value FROM meta WHERE name = 'agent'", [&](const Statement& row) {
      if (auto set = to_.set_agent(row.bytes(only_column)); !set) failed_ = set.error();
    });
    if (auto kept = keep_policy(store::kept_policy(from_), to_, report_); !kept) return kept;
    static const BothWays robots[] = {
        BothWays("SELECT robots.*, coding, octets, size, hash FROM robots JOIN body ON body.id = robots.body"
                 " ORDER BY origin"),
        BothWays("SELECT robots.*, NULL, coding, octets, size, hash FROM robots JOIN body ON body.id = robots.body"
                 " ORDER BY origin"),
        BothWays("SELECT robots.*, 0, NULL, coding, octets, size, hash FROM robots JOIN body ON body.id = robots.body"
                 " ORDER BY origin")};
    static const BothWays gates("SELECT * FROM gate ORDER BY key");
    read_both_ways(robots[missing_columns(from_)], [this](const Statement& row) { keep_robots(row); });
    read_both_ways(gates, [this](const Statement& row) { keep_gate(row); });
    if (failed_) return *failed_;
    return {};
  }

 private:
  struct BothWays {
    explicit BothWays(const char* sql) : up(sql), down(up + " DESC") {}
    std::string up;
    std::string down;
  };
  // Reads upwards. If that does not reach the end, also reads downwards, so `each` may get a row twice.
  template <class Each>
  void read_both_ways(const BothWays& sql, Each each) {
    if (read_all(from_, sql.up.c_str(), each) != SQLITE_DONE) read_all(from_, sql.down.c_str(), each);
  }

  void keep_robots(const Statement& row) {
    const auto origin = Origin::of(row.bytes(RobotsColumn::origin));
    RobotsRecord record;
    if (!origin || !store::read_record(row, *origin, record)) return;
    auto body = store::read_body(row);
    if (!body || !origins_.insert(origin->to_string()).second) return;
    record.body = std::make_shared<const std::string>(*std::move(body));
    if (auto put = to_.put_robots(*origin, std::move(record)); !put) failed_ = put.error();
    ++report_.origins_kept;
  }

  // Copies penalties and visits. Intervals and holds are not needed: in the new file, every key counts as just visited.
  void keep_gate(const Statement& row) {
    store::GateRow gate;
    std::uint64_t fence = 0;
    const std::string key(row.bytes(GateColumn::key));
    if (!store::read_gate(row, gate, fence) || !keys_.insert(key).second) return;
    if (auto kept = to_.restore_gate(key, gate.penalty_until, {gate.visits, gate.last_visit}); !kept) {
      failed_ = kept.error();
    }
    ++report_.gates_kept;
  }

  Database& from_;
  Store& to_;
  StoreCheck& report_;
  std::set<std::string> origins_;
  std::set<std::string> keys_;
  std::optional<Error> failed_;
};

}  // namespace

Result<StoreCheck> check_sqlite_store(const std::string& path, bool repair) {
  SqliteStoreOptions options;
  options.create = false;
  auto checked = store::checked_path(path, options);
  if (!checked) return checked.error();
  const std::string& file = checked.value();
  StoreCheck report;
  {
    struct stat before{};
    const bool there = stat(file.c_str(), &before) == 0;
    auto opened = repair ? Database::open_exclusive(file) : Database::open_unchecked(file);
    if (!opened) return opened.error();
    Database& database = *opened.value();
    sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);  // a check must change nothing
    // Another repair may have replaced the file before it was locked here.
    struct stat now{};
    if (!there || stat(file.c_str(), &now) != 0 || now.st_ino != before.st_ino || now.st_dev != before.st_dev) {
      return Error{"store-busy", "The store " + file + " was replaced just now: try again"};
    }
    if (auto looked = find_problems(database, Problems(report.problems), repair); !looked) return looked.error();
    if (report.problems.empty() || !repair) return report;
    auto moved = move_aside(file);
    if (!moved) return moved.error();
    report.moved_to = std::move(moved).value();
  }
  options.create = true;
  auto made = open_sqlite_store(file, options);
  if (!made) return made.error();
  const auto mended = store::MendedCopy::of(report.moved_to);
  auto from = Database::open_unchecked(mended ? mended->path() : report.moved_to);
  if (!from) {  // SQLite cannot open it, so nothing can be saved
    if (auto kept = keep_policy(from.error(), *made.value(), report); !kept) return kept.error();
    return report;
  }
  if (auto rescued = Rescue(*from.value(), *made.value(), report).run(); !rescued) return rescued.error();
  const auto urls = store::rescue_queue(*from.value(), file);
  if (!urls) {
    return Error{urls.error().code, urls.error().message + "; the queue was not saved whole: delete " + file +
                                        ", give " + report.moved_to + " its name again, and repair it once more"};
  }
  report.urls_kept = urls.value();
  return report;
}

}  // namespace robotrules
