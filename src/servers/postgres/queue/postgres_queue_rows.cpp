#include "servers/postgres/queue/postgres_queue_rows.hpp"

#include <robotrules/url.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "queue/queue_values.hpp"
#include "servers/postgres/postgres_schema.hpp"
#include "store/gate_row.hpp"
#include "store/packing.hpp"

namespace robotrules::store::postgres {
namespace {

struct ItemColumn {
  enum : int {
    id,
    site,
    rank,
    state,
    url,
    method,
    headers,
    status,
    why,
    etag,
    last_modified,
    at,
    bytes,
    page_at,
    warning,
    found,
    digest,
    page_url,
    origin,
  };
};
struct SiteColumn {
  enum : int { id, origin, pending, rank };
};

// Returns false if the row is damaged.
bool read_item(const Rows& rows, int row, QueueItem& into) {
  using Column = ItemColumn;
  const auto text = [&](int column) { return std::string(rows.bytes(row, column)); };
  const std::int64_t rank = rows.number(row, Column::rank);
  const std::int64_t state = rows.number(row, Column::state);
  if (!is_rank(rank) || state < 0 || state >= std::int64_t{queue_states}) return false;
  into.id = rows.number(row, Column::id);
  into.site = rows.number(row, Column::site);
  into.request.priority = priority_of(rank);
  into.state = static_cast<UrlState>(state);
  auto url = whole_url(rows.bytes(row, Column::origin), rows.bytes(row, Column::url));
  auto headers = unpack_headers(rows.bytes(row, Column::headers));
  if (!url || !headers) return false;
  into.request.url = *std::move(url);
  into.request.headers = *std::move(headers);
  if (!rows.is_null(row, Column::method)) into.request.method = text(Column::method);
  into.request.found = text(Column::found);
  if (rows.is_null(row, Column::at)) return into.state == UrlState::pending;
  const std::int64_t status = rows.number(row, Column::status);
  const std::int64_t bytes = rows.number(row, Column::bytes);
  if (status < std::numeric_limits<int>::min() || status > std::numeric_limits<int>::max() || bytes < 0) return false;
  UrlResult& result = into.result.emplace();
  result.status = static_cast<int>(status);
  result.why = text(Column::why);
  result.etag = text(Column::etag);
  result.last_modified = text(Column::last_modified);
  result.at = timestamp_of(rows.number(row, Column::at));
  result.bytes = static_cast<std::uint64_t>(bytes);
  result.warning = text(Column::warning);
  result.digest = text(Column::digest);
  result.page_url = text(Column::page_url);
  if (!rows.is_null(row, Column::page_at)) result.page_at = timestamp_of(rows.number(row, Column::page_at));
  return is_sound(result.at) && (!result.page_at || is_sound(*result.page_at));
}

}  // namespace

Result<std::vector<QueueItem>> items_in(const Rows& rows, const std::string& server) {
  std::vector<QueueItem> items(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row) {
    if (!read_item(rows, row, items[static_cast<std::size_t>(row)])) return damaged(server, "a URL of its queue");
  }
  return items;
}

Result<std::vector<QueueSite>> sites_in(const Rows& rows, const std::string& server) {
  std::vector<QueueSite> sites;
  for (int row = 0; row < rows.size(); ++row) {
    const std::string name(rows.bytes(row, SiteColumn::origin));
    const auto origin = Origin::of(name);
    const std::int64_t pending = rows.number(row, SiteColumn::pending);
    const std::int64_t rank = rows.number(row, SiteColumn::rank);
    if (!origin || origin->to_string() != name || pending < 0 || !is_rank(rank))
      return damaged(server, "a site of its queue");
    sites.push_back({rows.number(row, SiteColumn::id), name, static_cast<std::uint64_t>(pending), priority_of(rank)});
  }
  return sites;
}

QueueCounts counts_in(const Rows& rows, int row, int first) {
  QueueCounts counts;
  int column = first;
  // A sum is negative only while another transaction is not yet visible in all its rows.
  for (const UrlState state : all_url_states)
    counts.of(state) = static_cast<std::uint64_t>(std::max<std::int64_t>(rows.number(row, column++), 0));
  return counts;
}

std::string request_hash(std::string_view method, std::string_view url) {
  constexpr std::size_t bytes = 20;
  return content_hash(std::string(method).append(" ").append(url)).substr(0, bytes);
}

std::string sql_time(const Pool& pool) {
  const auto& scripted = pool.clock().scripted();
  return scripted ? "(" + std::to_string(scripted().time_since_epoch().count()) + "::bigint)" : std::string(sql_now);
}

Error job_removed(const std::string& server) {
  return {"unknown-job", "This job of the store " + server + " was removed: open another one"};
}

Error claim_lost(std::string_view why) {
  return {"claim-lost", std::string(why) + ": claim the job and its sites again"};
}

}  // namespace robotrules::store::postgres
