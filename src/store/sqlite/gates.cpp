#include "store/sqlite/gates.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/escape.hpp"
#include "store/sqlite/octets.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

bool read_gate(const Statement& row, GateRow& into, std::uint64_t& fence) {
  constexpr int latency = 11;  // a file of an older version has none
  for (int column = 1; column < row.columns(); ++column) {
    const bool may_be_null = column == 8;
    const bool is_number = row.type(column) == SQLITE_INTEGER || (may_be_null && row.is_null(column));
    if (column != 10 && !is_number) return false;
  }
  const auto within = [&row](int column, std::int64_t greatest) {
    return row.integer(column) >= 0 && row.integer(column) <= greatest;
  };
  if (row.type(0) != SQLITE_TEXT || !within(2, 3) || !within(6, std::numeric_limits<std::uint32_t>::max()) ||
      !within(7, greatest_count) || !within(9, greatest_count) || (!row.is_null(10) && row.type(10) != SQLITE_BLOB)) {
    return false;
  }
  auto holds = unpack_holds(row.octets(10));
  if (!holds) return false;
  into.interval = row.integer(1);
  into.source = static_cast<IntervalSource>(row.integer(2));
  into.armed_at = time_of(row.integer(3));
  into.penalty_until = time_of(row.integer(4));
  into.incident_at = time_of(row.integer(5));
  into.incidents = static_cast<std::uint32_t>(row.integer(6));
  into.visits = static_cast<std::uint64_t>(row.integer(7));
  into.last_visit = time_in(row, 8);
  fence = static_cast<std::uint64_t>(row.integer(9));
  into.latency = row.columns() > latency ? row.integer(latency) : 0;
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
             " last_visit, fence, holds, latency) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
             " ON CONFLICT(key) DO UPDATE SET interval = ?2, source = ?3, armed_at = ?4, penalty_until = ?5,"
             " incident_at = ?6, incidents = ?7, visits = ?8, last_visit = ?9, fence = ?10, holds = ?11, latency = ?12",
             [&](Statement& s) {
               s.bind(1, key).bind(2, row.interval).bind(3, static_cast<std::int64_t>(row.source));
               s.bind(4, count(row.armed_at)).bind(5, count(row.penalty_until)).bind(6, count(row.incident_at));
               s.bind(7, std::int64_t{row.incidents}).bind(8, static_cast<std::int64_t>(row.visits));
               s.bind(9, count(row.last_visit)).bind(10, static_cast<std::int64_t>(fence));
               holds.empty() ? s.bind_null(11) : s.bind_octets(11, holds);
               s.bind(12, row.latency);
             });
}

Result<void> Gates::forget_visits() { return run(database_, "UPDATE gate SET visits = 0, last_visit = NULL", {}); }

Result<std::uint64_t> Gates::prune(Timestamp before, Timestamp now) {
  auto done =
      run(database_,
          "DELETE FROM gate WHERE armed_at + interval <= ?2 AND penalty_until <= ?2"
          " AND (incidents = 0 OR incident_at <= ?3) AND holds IS NULL"
          " AND (last_visit IS NULL OR last_visit < ?1)",
          [&](Statement& s) { s.bind(1, count(before)).bind(2, count(now)).bind(3, count(now - longest_wait)); });
  if (!done) return done.error();
  auto pruned = static_cast<std::uint64_t>(sqlite3_changes64(database_.handle()));
  // Holds are looked into one by one: only owners that died leave some behind.
  std::vector<std::string> old;
  bool sound = true;
  done = run(database_, "SELECT * FROM gate WHERE holds IS NOT NULL", {}, [&](const Statement& row) {
    GateRow gate;
    std::uint64_t fence = 0;
    sound = read_gate(row, gate, fence) && sound;
    if (!is_live(gate, now) && (!gate.last_visit || *gate.last_visit < before)) old.emplace_back(row.octets(0));
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
