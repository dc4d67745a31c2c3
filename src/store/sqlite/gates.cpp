#include "store/sqlite/gates.hpp"

#include <algorithm>

#include "store/sqlite/octets.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

Result<void> Gates::read(std::string_view key, GateRow& into, std::uint64_t& fence) const {
  bool sound = true;
  auto read = run(
      database_,
      "SELECT interval, source, next_at, penalty_until, incident_at, incidents, visits, last_visit, fence, holds"
      " FROM gate WHERE key = ?1",
      [&](Statement& s) { s.bind(1, key); },
      [&](const Statement& row) {
        into.interval = row.integer(0);
        into.source = static_cast<IntervalSource>(row.integer(1));
        into.next_at = time_of(row.integer(2));
        into.penalty_until = time_of(row.integer(3));
        into.incident_at = time_of(row.integer(4));
        into.incidents = static_cast<std::uint32_t>(row.integer(5));
        into.visits = static_cast<std::uint64_t>(row.integer(6));
        into.last_visit = time_in(row, 7);
        fence = std::max(fence, static_cast<std::uint64_t>(row.integer(8)));
        auto holds = unpack_holds(row.octets(9));
        sound = holds.has_value() && row.integer(1) >= 0 && row.integer(1) <= 3 && row.integer(8) >= 0;
        if (holds) into.holds = *std::move(holds);
        sound = sound && is_sound(into);
      });
  if (!read) return read;
  if (!sound) return database_.damaged();
  return {};
}

Result<void> Gates::write(std::string_view key, const GateRow& row, std::uint64_t fence) {
  const std::string holds = pack_holds(row.holds);
  return run(database_,
             "INSERT INTO gate(key, interval, source, next_at, penalty_until, incident_at, incidents, visits,"
             " last_visit, fence, holds) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
             " ON CONFLICT(key) DO UPDATE SET interval = ?2, source = ?3, next_at = ?4, penalty_until = ?5,"
             " incident_at = ?6, incidents = ?7, visits = ?8, last_visit = ?9, fence = ?10, holds = ?11",
             [&](Statement& s) {
               s.bind(1, key).bind(2, row.interval).bind(3, static_cast<std::int64_t>(row.source));
               s.bind(4, count(row.next_at)).bind(5, count(row.penalty_until)).bind(6, count(row.incident_at));
               s.bind(7, std::int64_t{row.incidents}).bind(8, static_cast<std::int64_t>(row.visits));
               s.bind(9, count(row.last_visit)).bind(10, static_cast<std::int64_t>(fence));
               holds.empty() ? s.bind_null(11) : s.bind_octets(11, holds);
             });
}

Result<void> Gates::forget_visits() { return run(database_, "UPDATE gate SET visits = 0, last_visit = NULL", {}); }

Result<std::uint64_t> Gates::prune(Timestamp before, Timestamp now) {
  auto done = run(database_,
                  "DELETE FROM gate WHERE next_at <= ?2 AND penalty_until <= ?2 AND incidents = 0 AND holds IS NULL"
                  " AND (last_visit IS NULL OR last_visit < ?1)",
                  [&](Statement& s) { s.bind(1, count(before)).bind(2, count(now)); });
  if (!done) return done.error();
  return static_cast<std::uint64_t>(sqlite3_changes64(database_.handle()));
}

}  // namespace robotrules::store
