#include "store/sqlite/sqlite_gates.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/escape.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

Result<void> Gates::read_row(std::string_view key, GateRow& into, std::uint64_t& fence) {
  bool sound = true;
  auto read = run(database_, "SELECT * FROM gate WHERE key = ?1", {key}, [&](const Statement& row) {
    std::uint64_t own = 0;
    sound = read_gate(row, into, own);
    fence = std::max(fence, own);
  });
  if (!read) return read;
  if (!sound) return database_.damaged(" (the gate of \"" + base::excerpt(key) + "\" can't be read)");
  return {};
}

Result<void> Gates::write(std::string_view key, const GateRow& row, std::uint64_t fence) {
  static const std::string& sql =
      *new std::string("INSERT INTO gate(" + names_of(gate_columns) + ") VALUES(" + places_of(gate_columns, '?') +
                       ") ON CONFLICT(key) DO UPDATE SET " +
                       assignments_of(gate_columns, "?"));  // never destroyed, because a store may be later
  return run(database_, sql.c_str(), GateValues(key, row, fence).all());
}

Result<void> Gates::forget_visits() { return run(database_, "UPDATE gate SET visits = 0, last_visit = NULL", {}); }

Result<std::uint64_t> Gates::prune(Timestamp before, Timestamp now) {
  // is_old() of the rows without holds, which are nearly all: a million rows in one statement.
  auto done = run(database_,
                  "DELETE FROM gate WHERE armed_at + interval <= ?2 AND penalty_until <= ?2"
                  " AND (incidents = 0 OR incident_at <= ?3) AND (failures = 0 OR failed_at <= ?3) AND holds IS NULL"
                  " AND (last_visit IS NULL OR last_visit < ?1)",
                  {before, now, now - max_wait});
  if (!done) return done.error();
  const auto pruned = static_cast<std::uint64_t>(sqlite3_changes64(database_.handle()));
  // Only owners that died leave holds behind.
  std::vector<std::string> old;
  done = run_checked(database_, "SELECT * FROM gate WHERE holds IS NOT NULL", {}, " (a gate can't be read)",
                     [&](const Statement& row) {
                       GateRow gate;
                       std::uint64_t fence = 0;
                       if (!read_gate(row, gate, fence)) return false;
                       if (is_old(gate, before, now)) old.emplace_back(row.bytes(GateColumn::key));
                       return true;
                     });
  if (!done) return done.error();
  for (const std::string& key : old) {
    done = run(database_, "DELETE FROM gate WHERE key = ?1", {key});
    if (!done) return done.error();
  }
  return pruned + old.size();
}

}  // namespace robotrules::store
