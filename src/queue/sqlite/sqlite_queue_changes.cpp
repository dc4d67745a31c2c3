#include "queue/sqlite/sqlite_queue_changes.hpp"

#include <array>
#include <initializer_list>
#include <string>

#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

Result<void> apply(Database& database, std::int64_t job, const QueueTally& tally) {
  const auto change_one = [&](const char* sql, std::initializer_list<SqlValue> values) -> Result<void> {
    auto done = run(database, sql, values);
    if (done && sqlite3_changes64(database.handle()) != 1)
      return database.damaged(" (the counts of its queue are wrong)");
    return done;
  };
  for (const auto& [id, site] : tally.sites) {
    auto done = site.rank
                    ? change_one(
                          "UPDATE queue_site SET rank = iif(pending = 0, ?3, min(rank, ?3)), pending = pending + ?2"
                          " WHERE id = ?1 AND pending >= 0",
                          {id, site.pending, *site.rank})
                    : change_one(
                          "UPDATE queue_site SET pending = pending + ?2, rank = coalesce((SELECT queue.rank FROM queue "
                          "INDEXED BY"
                          " queue_pending WHERE site = ?1 AND state = 0 ORDER BY queue.rank LIMIT 1), 0)"
                          " WHERE id = ?1 AND pending + ?2 >= 0",
                          {id, site.pending});
    if (!done) return done;
  }
  for (std::size_t state = 0; state < tally.urls.size(); ++state) {
    if (tally.urls[state] == 0) continue;
    auto done = change_one("UPDATE queue_count SET urls = urls + ?2 WHERE state = ?1 AND job = ?3 AND urls + ?2 >= 0",
                           {static_cast<std::int64_t>(state), tally.urls[state], job});
    if (!done) return done;
  }
  return {};
}

bool leave(const Statement& row, QueueTally& tally) {
  if (!row.within(LeftColumn::state, 0, queue_states - 1)) return false;
  tally.leave(row.integer(LeftColumn::site), static_cast<UrlState>(row.integer(LeftColumn::state)));
  return true;
}

Result<std::int64_t> settle_one(Database& database, std::int64_t job, const FinishedUrl& settled, QueueTally& tally) {
  constexpr int site_job = LeftColumn::state + 1;
  std::int64_t site = 0;
  bool is_of_job = false;
  auto done = run_checked(
      database, "SELECT site, state, job FROM queue LEFT JOIN queue_site ON queue_site.id = site WHERE queue.id = ?1",
      {settled.id}, bad_url, [&](const Statement& row) {
        is_of_job = row.is_null(site_job) || row.integer(site_job) == job;
        site = row.integer(LeftColumn::site);
        return !is_of_job || leave(row, tally);
      });
  if (!done) return done.error();
  if (!is_of_job) return unknown_url(settled.id);
  tally.enter(site, settled.state);
  static const std::string& sql = *new std::string("UPDATE queue SET " + assignments_of(result_columns, "?") +
                                                   " WHERE id = ?1");  // never destroyed
  done = run(database, sql.c_str(), result_values(settled));
  return done ? Result<std::int64_t>(site) : done.error();
}

Result<std::uint64_t> reopen_urls(Database& database, std::int64_t job, std::int64_t first, std::int64_t last,
                                  std::int64_t states, std::int64_t before) {
  constexpr int rank = LeftColumn::state + 1;
  QueueTally tally;
  bool sound = true;
  const std::array<SqlValue, 5> range{first, last, states, before, job};
  static const std::string which =
      " WHERE id BETWEEN ?1 AND ?2 AND ((1 << state) & ?3) != 0 AND at < ?4"
      " AND (SELECT job FROM queue_site WHERE queue_site.id = site) = ?5";
  static const std::string find = "SELECT site, state, rank FROM queue" + which;
  static const std::string change = "UPDATE queue SET state = 0" + which;
  auto done = run(database, find.c_str(), range, [&](const Statement& row) {
    sound = sound && row.integer(LeftColumn::state) != 0 && leave(row, tally);
    if (sound) tally.enter(row.integer(LeftColumn::site), UrlState::pending, row.integer(rank));
  });
  if (!done) return done.error();
  if (!sound) return database.damaged(bad_url);
  const auto reopened = static_cast<std::uint64_t>(tally.urls[0]);
  if (reopened == 0) return reopened;
  done = run(database, change.c_str(), range);
  if (done) done = apply(database, job, tally);
  return done ? Result<std::uint64_t>(reopened) : done.error();
}

}  // namespace robotrules::store
