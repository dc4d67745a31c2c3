#include "queue/queue_columns.hpp"

#include <robotrules/url.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "queue/queue_values.hpp"
#include "store/gate_row.hpp"

namespace robotrules::store {
namespace {

bool is_rank_in(const TableRow& row, int column) noexcept {
  return row.is(column, ValueKind::number) && is_rank(row.integer(column));
}

// Reads the result of an item, which has one.
bool read_result(const TableRow& row, UrlResult& into) {
  using Column = QueueColumn;
  if (!row.within(Column::status, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()) ||
      !row.is_or_null(Column::why, ValueKind::text) || !row.is_or_null(Column::etag, ValueKind::bytes) ||
      !row.is_or_null(Column::last_modified, ValueKind::bytes) || !row.within(Column::at, -max_time, max_time) ||
      !row.within(Column::bytes, 0, max_count)) {
    return false;
  }
  into.status = static_cast<int>(row.integer(Column::status));
  into.why = row.bytes(Column::why);
  into.etag = row.bytes(Column::etag);
  into.last_modified = row.bytes(Column::last_modified);
  into.at = time_of(row.integer(Column::at));
  into.bytes = static_cast<std::uint64_t>(row.integer(Column::bytes));
  if (row.columns() > Column::digest) into.digest = row.bytes(Column::digest);
  if (row.columns() > Column::page_url) {
    if (!row.is_or_null(Column::page_url, ValueKind::bytes)) return false;
    into.page_url = row.bytes(Column::page_url);
  }
  if (row.columns() <= Column::warning) return true;
  into.warning = row.bytes(Column::warning);
  into.page_at = row.time(Column::page_at);
  return row.is_or_null(Column::warning, ValueKind::text) &&
         (row.is_null(Column::page_at) || row.within(Column::page_at, -max_time, max_time));
}

}  // namespace

bool read_site(const TableRow& row, QueueSite& into) {
  using Column = QueueSiteColumn;
  if (!row.within(Column::id, 1, max_count) || !row.is(Column::origin, ValueKind::text) ||
      !row.within(Column::pending, 0, max_count) || !is_rank_in(row, Column::rank)) {
    return false;
  }
  const std::string_view name = row.bytes(Column::origin);
  const auto origin = Origin::of(name);
  if (!origin || origin->to_string() != name) return false;
  into = {row.integer(Column::id), std::string(name), static_cast<std::uint64_t>(row.integer(Column::pending)),
          priority_of(row.integer(Column::rank))};
  return true;
}

bool read_item(const TableRow& row, std::string_view origin, QueueItem& into) {
  using Column = QueueColumn;
  const bool sound = row.within(Column::id, 1, max_count) && row.within(Column::site, 1, max_count) &&
                     is_rank_in(row, Column::rank) && row.within(Column::state, 0, queue_states - 1) &&
                     row.is(Column::url, ValueKind::text) && row.is_or_null(Column::method, ValueKind::text) &&
                     row.is_or_null(Column::headers, ValueKind::bytes);
  if (!sound) return false;
  auto url = whole_url(origin, row.bytes(Column::url));
  auto headers = unpack_headers(row.bytes(Column::headers));
  if (!url || !headers) return false;
  into = {};
  into.id = row.integer(Column::id);
  into.site = row.integer(Column::site);
  into.state = static_cast<UrlState>(row.integer(Column::state));
  into.request.priority = priority_of(row.integer(Column::rank));
  into.request.url = *std::move(url);
  into.request.headers = *std::move(headers);
  if (!row.is_null(Column::method)) into.request.method = row.bytes(Column::method);
  if (row.columns() > Column::digest) {
    if (!row.is_or_null(Column::found, ValueKind::bytes) || !row.is_or_null(Column::digest, ValueKind::text))
      return false;
    into.request.found = row.bytes(Column::found);
  }
  if (row.is_null(Column::at)) return into.state == UrlState::pending;
  return read_result(row, into.result.emplace());
}

NewUrlValues new_url_values(std::int64_t id, std::int64_t site, std::string_view stored, const QueuedUrl& url,
                            std::string_view headers) {
  return {id,
          site,
          rank_of(url.priority),
          stored,
          url.method == "GET" ? SqlValue() : SqlValue(url.method),
          SqlValue::filled_blob(headers),
          SqlValue::filled_blob(url.found)};
}

ResultValues result_values(const FinishedUrl& settled) {
  const UrlResult& result = settled.result;
  return {settled.id,
          static_cast<std::int64_t>(settled.state),
          std::int64_t{result.status},
          bounded(result.at),
          static_cast<std::int64_t>(std::min<std::uint64_t>(result.bytes, max_count)),
          result.page_at ? SqlValue(bounded(*result.page_at)) : SqlValue(),
          SqlValue::filled(result.why),
          SqlValue::filled_blob(result.etag),
          SqlValue::filled_blob(result.last_modified),
          SqlValue::filled(std::string_view(result.warning).substr(0, max_warning)),
          SqlValue::filled(result.digest),
          SqlValue::filled_blob(result.page_url)};
}

}  // namespace robotrules::store
