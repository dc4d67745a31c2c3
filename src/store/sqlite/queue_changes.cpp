#include "store/sqlite/queue_changes.hpp"

#include <algorithm>

#include "store/gate_row.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

Result<void> keep(Database& database, const QueueTally& tally) {
  const auto changed_one = [&](Result<void> done) -> Result<void> {
    if (done && sqlite3_changes64(database.handle()) != 1)
      return database.damaged(" (the sums of its queue are wrong)");
    return done;
  };
  for (const auto& [id, site] : tally.sites) {
    const auto& change = site;
    const std::int64_t number = id;
    Result<void> done;
    if (change.rank) {
      done = changed_one(run(database,
                             "UPDATE queue_site SET rank = iif(pending = 0, ?3, min(rank, ?3)), pending = pending + ?2"
                             " WHERE id = ?1 AND pending >= 0",
                             [&](Statement& s) { s.bind(1, number).bind(2, change.pending).bind(3, *change.rank); }));
    } else {
      done = changed_one(
          run(database,
              "UPDATE queue_site SET pending = pending + ?2, rank = coalesce((SELECT queue.rank FROM queue INDEXED BY"
              " queue_pending WHERE site = ?1 AND state = 0 ORDER BY queue.rank LIMIT 1), 0)"
              " WHERE id = ?1 AND pending + ?2 >= 0",
              [&](Statement& s) { s.bind(1, number).bind(2, change.pending); }));
    }
    if (!done) return done;
  }
  for (std::size_t state = 0; state < tally.urls.size(); ++state) {
    if (tally.urls[state] == 0) continue;
    auto done =
        changed_one(run(database, "UPDATE queue_count SET urls = urls + ?2 WHERE state = ?1 AND urls + ?2 >= 0",
                        [&](Statement& s) { s.bind(1, static_cast<std::int64_t>(state)).bind(2, tally.urls[state]); }));
    if (!done) return done;
  }
  return {};
}

Result<void> settle_one(Database& database, const FinishedUrl& settled, QueueTally& tally) {
  std::int64_t site = 0;
  std::int64_t before = -1;
  auto done = run(
      database, "SELECT site, state FROM queue WHERE id = ?1", [&](Statement& s) { s.bind(1, settled.id); },
      [&](const Statement& row) {
        site = row.integer(0);
        before = row.type(1) == SQLITE_INTEGER ? row.integer(1) : std::int64_t{queue_states};
      });
  if (!done) return done;
  if (before == -1) return Error{"unknown-url", "The queue has no URL " + std::to_string(settled.id)};
  if (before < 0 || before >= std::int64_t{queue_states}) return damaged_queue(database, "a URL");
  if (before == 0) --tally.sites[site].pending;
  --tally.urls[static_cast<std::size_t>(before)];
  ++tally.urls[static_cast<std::size_t>(settled.state)];
  const UrlResult& result = settled.result;
  const auto bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(result.bytes, greatest_count));
  return run(database,
             "UPDATE queue SET state = ?2, status = ?3, why = ?4, etag = ?5, last_modified = ?6, at = ?7, bytes = ?8"
             " WHERE id = ?1",
             [&](Statement& s) {
               s.bind(1, settled.id).bind(2, static_cast<std::int64_t>(settled.state));
               s.bind(3, std::int64_t{result.status});
               result.why.empty() ? s.bind_null(4) : s.bind(4, result.why);
               result.etag.empty() ? s.bind_null(5) : s.bind_octets(5, result.etag);
               result.last_modified.empty() ? s.bind_null(6) : s.bind_octets(6, result.last_modified);
               s.bind(7, count(bounded(result.at))).bind(8, bytes);
             });
}

Result<std::uint64_t> reopen_page(Database& database, std::int64_t first, std::int64_t last, std::int64_t states,
                                  std::int64_t before) {
  QueueTally tally;
  bool sound = true;
  const auto range = [&](Statement& s) { s.bind(1, first).bind(2, last).bind(3, states).bind(4, before); };
  auto done = run(database,
                  "SELECT site, rank, state FROM queue"
                  " WHERE id BETWEEN ?1 AND ?2 AND ((1 << state) & ?3) != 0 AND at < ?4",
                  range, [&](const Statement& row) {
                    const std::int64_t state = row.integer(2);
                    sound = sound && state > 0 && state < std::int64_t{queue_states};
                    if (!sound) return;
                    tally.add(row.integer(0), row.integer(1));
                    --tally.urls[static_cast<std::size_t>(state)];
                  });
  if (!done) return done.error();
  if (!sound) return damaged_queue(database, "a URL");
  const auto reopened = static_cast<std::uint64_t>(tally.urls[0]);
  if (reopened == 0) return reopened;
  done = run(database, "UPDATE queue SET state = 0 WHERE id BETWEEN ?1 AND ?2 AND ((1 << state) & ?3) != 0 AND at < ?4",
             range);
  if (done) done = keep(database, tally);
  if (!done) return done.error();
  return reopened;
}

}  // namespace robotrules::store
