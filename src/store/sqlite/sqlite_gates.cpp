#include "store/sqlite/sqlite_gates.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/escape.hpp"
#include "store/packing.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

bool read_gate(const Statement& row, GateRow& into, std::uint64_t& fence) {
  using Column = GateColumn;
  for (int column = Column::interval; column < row.columns(); ++column) {
    const bool may_be_null = column == Column::last_visit;
    const bool is_number = row.type(column) == SQLITE_INTEGER || (may_be_null && row.is_null(column));
    if (column != Column::holds && !is_number) return false;
  }
  const auto within = [&row](int column, std::int64_t max) {
    return row.integer(column) >= 0 && row.integer(column) <= max;
  };
  if (row.type(Column::key) != SQLITE_TEXT || !within(Column::source, 3) ||
      !within(Column::incidents, std::numeric_limits<std::uint32_t>::max()) || !within(Column::visits, max_count) ||
      !within(Column::fence, max_count) || (!row.is_null(Column::holds) && row.type(Column::holds) != SQLITE_BLOB)) {
    return false;
  }
  auto holds = unpack_holds(row.bytes(Column::holds));
  if (!holds) return false;
  into.interval = row.integer(Column::interval);
  into.source = static_cast<IntervalSource>(row.integer(Column::source));
  into.armed_at = time_of(row.integer(Column::armed_at));
  into.penalty_until = time_of(row.integer(Column::penalty_until));
  into.incident_at = time_of(row.integer(Column::incident_at));
  into.incidents = static_cast<std::uint32_t>(row.integer(Column::incidents));
  into.visits = static_cast<std::uint64_t>(row.integer(Column::visits));
  into.last_visit = time_in(row, Column::last_visit);
  fence = static_cast<std::uint64_t>(row.integer(Column::fence));
  into.latency = row.columns() > Column::latency ? row.integer(Column::latency) : 0;  // older files have no latency
  if (row.columns() > Column::failed_at) {
    if (!within(Column::recovery, max_failures) || !within(Column::failures, max_failures)) return false;
    into.recovery = static_cast<std::uint32_t>(row.integer(Column::recovery));
    into.failures = static_cast<std::uint32_t>(row.integer(Column::failures));
    into.failing_since = time_of(row.integer(Column::failing_since));
    into.failed_at = time_of(row.integer(Column::failed_at));
  }
  into.holds = *std::move(holds);
  return is_sound(into, fence);
}

Result<void> Gates::read(std::string_view key, GateRow& into, std::uint64_t& fence) const {
  bool sound = true;
  auto read = run(
      database_, "SELECT * FROM gate WHERE key = ?1", [&](Statement& s) { s.bind(1, key); },
      [&](const Statement& row) {
        std::uint64_t own = 0;
        sound = read_gate(row, into, own);
        fence = std::max(fence, own);
      });
  if (!read) return read;
  if (!sound) return database_.damaged(" (the gate of \"" + base::excerpt(key) + "\" can't be read)");
  return {};
}

Result<void> Gates::write(std::string_view key, const GateRow& row, std::uint64_t fence) {
  const std::string holds = pack_holds(row.holds);
  return run(database_,
             "INSERT INTO gate(key, interval, source, armed_at, penalty_until, incident_at, incidents, visits,"
             " last_visit, fence, holds, latency, recovery, failures, failing_since, failed_at)"
             " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
             " ON CONFLICT(key) DO UPDATE SET interval = ?2, source = ?3, armed_at = ?4, penalty_until = ?5,"
             " incident_at = ?6, incidents = ?7, visits = ?8, last_visit = ?9, fence = ?10, holds = ?11, latency = ?12,"
             " recovery = ?13, failures = ?14, failing_since = ?15, failed_at = ?16",
             [&](Statement& s) {
               using Column = GateColumn;
               s.bind(parameter(Column::key), key);
               s.bind(parameter(Column::interval), row.interval);
               s.bind(parameter(Column::source), static_cast<std::int64_t>(row.source));
               s.bind(parameter(Column::armed_at), count(row.armed_at));
               s.bind(parameter(Column::penalty_until), count(row.penalty_until));
               s.bind(parameter(Column::incident_at), count(row.incident_at));
               s.bind(parameter(Column::incidents), std::int64_t{row.incidents});
               s.bind(parameter(Column::visits), static_cast<std::int64_t>(row.visits));
               s.bind(parameter(Column::last_visit), count(row.last_visit));
               s.bind(parameter(Column::fence), static_cast<std::int64_t>(fence));
               constexpr int holds_at = parameter(Column::holds);
               holds.empty() ? s.bind_null(holds_at) : s.bind_blob(holds_at, holds);
               s.bind(parameter(Column::latency), row.latency);
               s.bind(parameter(Column::recovery), std::int64_t{row.recovery});
               s.bind(parameter(Column::failures), std::int64_t{row.failures});
               s.bind(parameter(Column::failing_since), count(row.failing_since));
               s.bind(parameter(Column::failed_at), count(row.failed_at));
             });
}

Result<void> Gates::forget_visits() { return run(database_, "UPDATE gate SET visits = 0, last_visit = NULL", {}); }

Result<std::uint64_t> Gates::prune(Timestamp before, Timestamp now) {
  auto done = run(database_,
                  "DELETE FROM gate WHERE armed_at + interval <= ?2 AND penalty_until <= ?2"
                  " AND (incidents = 0 OR incident_at <= ?3) AND (failures = 0 OR failed_at <= ?3) AND holds IS NULL"
                  " AND (last_visit IS NULL OR last_visit < ?1)",
                  [&](Statement& s) { s.bind(1, count(before)).bind(2, count(now)).bind(3, count(now - max_wait)); });
  if (!done) return done.error();
  auto pruned = static_cast<std::uint64_t>(sqlite3_changes64(database_.handle()));
  // The holds of a row are packed, so these rows are checked one by one. Only owners that died leave holds behind.
  std::vector<std::string> old;
  bool sound = true;
  done = run(database_, "SELECT * FROM gate WHERE holds IS NOT NULL", {}, [&](const Statement& row) {
    GateRow gate;
    std::uint64_t fence = 0;
    sound = read_gate(row, gate, fence) && sound;
    if (!is_live(gate, now) && (!gate.last_visit || *gate.last_visit < before))
      old.emplace_back(row.bytes(GateColumn::key));
  });
  if (!done) return done.error();
  if (!sound) return database_.damaged(" (a gate can't be read)");
  for (const std::string& key : old) {
    done = run(database_, "DELETE FROM gate WHERE key = ?1", [&](Statement& s) { s.bind(1, key); });
    if (!done) return done.error();
  }
  return pruned + old.size();
}

}  // namespace robotrules::store
