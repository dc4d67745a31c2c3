#include "servers/postgres/queue/postgres_queue_changes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "queue/queue_columns.hpp"
#include "servers/postgres/queue/postgres_queue_rows.hpp"
#include "servers/postgres/sql.hpp"

namespace robotrules::store::postgres {

void append_tally(std::int64_t job, std::int64_t slot, const QueueTally& tally, Batch& batch) {
  static constexpr std::array columns{SqlColumn{"id"}, SqlColumn{"pending"}};
  TableWriter sites(columns);
  for (const auto& [site, change] : tally.sites) sites.add(std::array<SqlValue, 2>{site, change.pending});
  if (!sites.empty()) {
    batch.push_back({sql("change_pending"), std::move(sites).parameters()});
  }
  if (std::ranges::all_of(tally.urls, [](std::int64_t change) { return change == 0; })) return;
  Parameters counts{job, slot % count_slots};
  for (const std::int64_t change : tally.urls) counts.number(change);
  batch.push_back({sql("change_counts"), std::move(counts)});
}

void append_lock_urls(std::int64_t job, std::span<const std::int64_t> ids, std::span<const std::int64_t> sites,
                      Batch& batch) {
  batch.push_back({sql("lock_sites_of"), Parameters({job}).numbers(ids).numbers(sites)});
  batch.push_back({sql("find_states"), Parameters({job}).numbers(ids)});
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
  return {sql("set_results"), std::move(rows).parameters()};
}

}  // namespace robotrules::store::postgres
