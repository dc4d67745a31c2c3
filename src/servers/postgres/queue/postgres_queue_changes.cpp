#include "servers/postgres/queue/postgres_queue_changes.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "servers/postgres/queue/postgres_queue_rows.hpp"
#include "store/gate_row.hpp"

namespace robotrules::store::postgres {
namespace {

std::int64_t count(Timestamp time) { return bounded(time).time_since_epoch().count(); }

}  // namespace

std::vector<Number> numbers_of(std::span<const std::int64_t> values) { return {values.begin(), values.end()}; }

void append_tally(std::int64_t job, std::int64_t slot, const Tally& tally, Batch& batch) {
  std::vector<Number> sites;
  std::vector<Number> pending;
  for (const auto& [site, change] : tally.sites) {
    sites.push_back(site);
    pending.push_back(change);
  }
  if (!sites.empty()) {
    batch.push_back(
        {"UPDATE queue_site SET pending = queue_site.pending + change.pending, rank = coalesce((SELECT"
         " queue_url.rank FROM queue_url WHERE queue_url.site = queue_site.id AND state = 0"
         " ORDER BY queue_url.rank LIMIT 1), 0)"
         " FROM unnest($1, $2) AS change(id, pending) WHERE queue_site.id = change.id",
         Parameters().numbers(sites).numbers(pending)});
  }
  if (std::ranges::all_of(tally.urls, [](std::int64_t change) { return change == 0; })) return;
  Parameters counts;
  counts.number(job).number(slot % count_slots);
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
  const std::vector<Number> wanted = numbers_of(ids);
  // "job + 0" keeps the index of jobs out: before the first ANALYZE, a job seems to have few URLs.
  batch.push_back(
      {"SELECT id, fence FROM queue_site WHERE id IN (SELECT site FROM queue_url"
       " WHERE id = ANY($2) AND job + 0 = $1 UNION ALL SELECT pg_catalog.unnest($3)) ORDER BY id FOR NO KEY UPDATE",
       Parameters().number(job).numbers(wanted).numbers(numbers_of(sites))});
  batch.push_back({"SELECT id, site, state FROM queue_url WHERE id = ANY($2) AND job + 0 = $1",
                   Parameters().number(job).numbers(wanted)});
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
  std::vector<Number> ids;
  std::vector<Number> states;
  std::vector<Number> statuses;
  std::vector<Number> times;
  std::vector<Number> bytes;
  std::vector<Number> page_times;
  std::vector<Bytes> reasons;
  std::vector<Bytes> etags;
  std::vector<Bytes> dates;
  std::vector<Bytes> warnings;
  std::vector<Bytes> digests;
  std::vector<Bytes> page_urls;
  for (const auto& [id, one] : settled) {
    const UrlResult& result = one->result;
    ids.push_back(id);
    states.push_back(static_cast<std::int64_t>(one->state));
    statuses.push_back(result.status);
    times.push_back(count(result.at));
    bytes.push_back(static_cast<std::int64_t>(std::min<std::uint64_t>(result.bytes, max_count)));
    page_times.push_back(result.page_at ? Number(count(*result.page_at)) : Number());
    reasons.push_back(filled(result.why));
    etags.push_back(filled(result.etag));
    dates.push_back(filled(result.last_modified));
    warnings.push_back(filled(std::string_view(result.warning).substr(0, max_warning)));
    digests.push_back(filled(result.digest));
    page_urls.push_back(filled(result.page_url));
  }
  return {
      "UPDATE queue_url SET state = new.state, status = new.status, at = new.at, bytes = new.bytes,"
      " page_at = new.page_at, why = new.why, etag = new.etag, last_modified = new.last_modified,"
      " warning = new.warning, digest = new.digest, page_url = new.page_url"
      " FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
      " AS new(id, state, status, at, bytes, page_at, why, etag, last_modified, warning, digest, page_url)"
      " WHERE queue_url.id = new.id",
      Parameters()
          .numbers(ids)
          .numbers(states)
          .numbers(statuses)
          .numbers(times)
          .numbers(bytes)
          .numbers(page_times)
          .byte_strings(reasons)
          .byte_strings(etags)
          .byte_strings(dates)
          .byte_strings(warnings)
          .byte_strings(digests)
          .byte_strings(page_urls)};
}

}  // namespace robotrules::store::postgres
