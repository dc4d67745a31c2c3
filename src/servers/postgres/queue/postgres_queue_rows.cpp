#include "servers/postgres/queue/postgres_queue_rows.hpp"

#include <algorithm>

#include "queue/queue_columns.hpp"
#include "servers/postgres/postgres_schema.hpp"
#include "store/packing.hpp"

namespace robotrules::store::postgres {

Result<std::vector<QueueItem>> items_in(const Rows& rows, const std::string& server) {
  std::vector<QueueItem> items(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row) {
    if (!read_item(RowOf(rows, row), rows.bytes(row, QueueColumn::site_origin), items[static_cast<std::size_t>(row)]))
      return damaged(server, "a URL of its queue");
  }
  return items;
}

Result<std::vector<QueueSite>> sites_in(const Rows& rows, const std::string& server) {
  std::vector<QueueSite> sites;
  for (int row = 0; row < rows.size(); ++row) {
    if (!read_site(RowOf(rows, row), sites.emplace_back())) return damaged(server, "a site of its queue");
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

Number scripted_time(const Pool& pool) {
  const auto& scripted = pool.clock().scripted();
  return scripted ? Number(count(scripted())) : Number();
}

Error job_removed(const std::string& server) {
  return {"unknown-job", "This job of the store " + server + " was removed: open another one"};
}

}  // namespace robotrules::store::postgres
