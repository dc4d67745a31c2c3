#include "queue/sqlite/sqlite_queue_changes.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "store/gate_row.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

Result<void> apply(Database& database, std::int64_t job, const QueueTally& tally) {
  const auto changed_one = [&](Result<void> done) -> Result<void> {
    if (done && sqlite3_changes64(database.handle()) != 1)
      return database.damaged(" (the counts of its queue are wrong)");
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
    auto done = changed_one(run(
        database, "UPDATE queue_count SET urls = urls + ?2 WHERE state = ?1 AND job = ?3 AND urls + ?2 >= 0",
        [&](Statement& s) { s.bind(1, static_cast<std::int64_t>(state)).bind(2, tally.urls[state]).bind(3, job); }));
    if (!done) return done;
  }
  return {};
}

Result<std::int64_t> settle_one(Database& database, std::int64_t job, const FinishedUrl& settled, QueueTally& tally) {
  struct Column {
    enum : int { site, state, site_job };
  };
  std::int64_t site = 0;
  std::int64_t before = -1;
  bool is_of_job = false;
  auto done = run(
      database, "SELECT site, state, job FROM queue LEFT JOIN queue_site ON queue_site.id = site WHERE queue.id = ?1",
      [&](Statement& s) { s.bind(1, settled.id); },
      [&](const Statement& row) {
        is_of_job = row.is_null(Column::site_job) || row.integer(Column::site_job) == job;
        site = row.integer(Column::site);
        before = row.type(Column::state) == SQLITE_INTEGER ? row.integer(Column::state) : std::int64_t{queue_states};
      });
  if (!done) return done.error();
  if (before == -1 || !is_of_job)
    return Error{"unknown-url", "The queue has no URL with the id " + std::to_string(settled.id) +
                                    ": give an id that take() returned"};
  if (before < 0 || before >= std::int64_t{queue_states}) return damaged_queue(database, "a URL");
  if (before == 0) --tally.sites[site].pending;
  --tally.urls[static_cast<std::size_t>(before)];
  ++tally.urls[static_cast<std::size_t>(settled.state)];
  const UrlResult& result = settled.result;
  const auto bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(result.bytes, max_count));
  const std::string_view warning = std::string_view(result.warning).substr(0, max_warning);
  done =
      run(database,
          "UPDATE queue SET state = ?4, status = ?8, why = ?9, etag = ?10, last_modified = ?11, at = ?12, bytes = ?13,"
          " page_at = ?14, warning = ?15, digest = ?17, page_url = ?18 WHERE id = ?1",
          [&](Statement& s) {
            constexpr int why_at = parameter(QueueColumn::why);
            constexpr int etag_at = parameter(QueueColumn::etag);
            constexpr int last_modified_at = parameter(QueueColumn::last_modified);
            constexpr int warning_at = parameter(QueueColumn::warning);
            constexpr int digest_at = parameter(QueueColumn::digest);
            constexpr int page_url_at = parameter(QueueColumn::page_url);
            s.bind(parameter(QueueColumn::id), settled.id);
            s.bind(parameter(QueueColumn::state), static_cast<std::int64_t>(settled.state));
            s.bind(parameter(QueueColumn::status), std::int64_t{result.status});
            result.why.empty() ? s.bind_null(why_at) : s.bind(why_at, result.why);
            result.etag.empty() ? s.bind_null(etag_at) : s.bind_blob(etag_at, result.etag);
            result.last_modified.empty() ? s.bind_null(last_modified_at)
                                         : s.bind_blob(last_modified_at, result.last_modified);
            s.bind(parameter(QueueColumn::at), count(bounded(result.at)));
            s.bind(parameter(QueueColumn::bytes), bytes);
            s.bind(parameter(QueueColumn::page_at),
                   result.page_at ? std::optional(count(bounded(*result.page_at))) : std::nullopt);
            warning.empty() ? s.bind_null(warning_at) : s.bind(warning_at, warning);
            result.digest.empty() ? s.bind_null(digest_at) : s.bind(digest_at, result.digest);
            result.page_url.empty() ? s.bind_null(page_url_at) : s.bind_blob(page_url_at, result.page_url);
          });
  return done ? Result<std::int64_t>(site) : done.error();
}

Result<std::uint64_t> reopen_page(Database& database, std::int64_t job, std::int64_t first, std::int64_t last,
                                  std::int64_t states, std::int64_t before) {
  struct Column {
    enum : int { site, rank, state };
  };
  QueueTally tally;
  bool sound = true;
  const auto range = [&](Statement& s) { s.bind(1, first).bind(2, last).bind(3, states).bind(4, before).bind(5, job); };
  static const std::string which =
      " WHERE id BETWEEN ?1 AND ?2 AND ((1 << state) & ?3) != 0 AND at < ?4"
      " AND (SELECT job FROM queue_site WHERE queue_site.id = site) = ?5";
  static const std::string find = "SELECT site, rank, state FROM queue" + which;
  static const std::string change = "UPDATE queue SET state = 0" + which;
  auto done = run(database, find.c_str(), range, [&](const Statement& row) {
    const std::int64_t state = row.integer(Column::state);
    sound = sound && state > 0 && state < std::int64_t{queue_states};
    if (!sound) return;
    tally.add(row.integer(Column::site), row.integer(Column::rank));
    --tally.urls[static_cast<std::size_t>(state)];
  });
  if (!done) return done.error();
  if (!sound) return damaged_queue(database, "a URL");
  const auto reopened = static_cast<std::uint64_t>(tally.urls[0]);
  if (reopened == 0) return reopened;
  done = run(database, change.c_str(), range);
  if (done) done = apply(database, job, tally);
  if (!done) return done.error();
  return reopened;
}

}  // namespace robotrules::store
