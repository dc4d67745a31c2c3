#include "servers/postgres/queue/postgres_queue_changes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "queue/queue_columns.hpp"
#include "servers/postgres/queue/postgres_queue_rows.hpp"

namespace robotrules::store::postgres {

void append_tally(std::int64_t job, std::int64_t slot, const QueueTally& tally, Batch& batch) {
  static constexpr std::array columns{SqlColumn{"id"}, SqlColumn{"pending"}};
  TableWriter sites(columns);
  for (const auto& [site, change] : tally.sites) sites.add(std::array<SqlValue, 2>{site, change.pending});
  if (!sites.empty()) {
    batch.push_back(
        {"UPDATE queue_site SET pending = queue_site.pending + change.pending, rank = coalesce((SELECT"
         " queue_url.rank FROM queue_url WHERE queue_url.site = queue_site.id AND state = 0"
         " ORDER BY queue_url.rank LIMIT 1), 0)"
         " FROM unnest($1, $2) AS change(id, pending) WHERE queue_site.id = change.id",
         std::move(sites).parameters()});
  }
  if (std::ranges::all_of(tally.urls, [](std::int64_t change) { return change == 0; })) return;
  Parameters counts{job, slot % count_slots};
  for (const std::int64_t change : tally.urls) counts.number(change);
  batch.push_back(
      {"INSERT INTO queue_count VALUES($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (job, slot) DO UPDATE"
       " SET pending = queue_count.pending + $3, done = queue_count.done + $4,"
       " denied = queue_count.denied + $5, failed = queue_count.failed + $6,"
       " parked = queue_count.parked + $7, cut = queue_count.cut + $8",
       std::move(counts)});
}

void append_lock_urls(std::int64_t job, std::span<const std::int64_t> ids, std::span<const std::int64_t> sites,
                      Batch& batch) {
  // "job + 0" keeps the index of jobs out: before the first ANALYZE, a job seems to have few URLs.
  batch.push_back(
      {"SELECT id, fence FROM queue_site WHERE id IN (SELECT site FROM queue_url"
       " WHERE id = ANY($2) AND job + 0 = $1 UNION ALL SELECT pg_catalog.unnest($3)) ORDER BY id FOR NO KEY UPDATE",
       Parameters({job}).numbers(ids).numbers(sites)});
  batch.push_back(
      {"SELECT id, site, state FROM queue_url WHERE id = ANY($2) AND job + 0 = $1", Parameters({job}).numbers(ids)});
}

Result<std::map<std::int64_t, LockedUrl>> locked_urls(const Rows& rows, const std::string& server) {
  std::map<std::int64_t, LockedUrl> urls;
  for (int row = 0; row < rows.size(); ++row) {
    const std::int64_t state = rows.number(row, 2);
    if (state < 0 || state >= std::int64_t{queue_states}) return damaged(server, "a URL of its queue");
    urls.emplace(rows.number(row, 0), LockedUrl{rows.number(row, 1), static_cast<UrlState>(state)});
  }
  return urls;
}

Statement set_results(const std::map<std::int64_t, const FinishedUrl*>& settled) {
  TableWriter rows(result_columns);
  for (const auto& [id, one] : settled) rows.add(result_values(*one));
  return {"UPDATE queue_url SET " + assignments_of(result_columns, "new.") + " FROM unnest(" +
              places_of(result_columns, '$') + ") AS new(" + names_of(result_columns) + ") WHERE queue_url.id = new.id",
          std::move(rows).parameters()};
}

}  // namespace robotrules::store::postgres
