#include "queue/sqlite/sqlite_queue_rows.hpp"

#include <cstring>
#include <limits>

#include "queue/url_index.hpp"
#include "store/gate_row.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {
namespace {

bool is(const Statement& row, int column, int type) noexcept { return row.type(column) == type; }
bool is_or_null(const Statement& row, int column, int type) noexcept {
  return is(row, column, type) || row.is_null(column);
}
bool within(const Statement& row, int column, std::int64_t min, std::int64_t max) noexcept {
  return is(row, column, SQLITE_INTEGER) && row.integer(column) >= min && row.integer(column) <= max;
}
bool is_rank_in(const Statement& row, int column) noexcept {
  return is(row, column, SQLITE_INTEGER) && is_rank(row.integer(column));
}

}  // namespace

bool read_site(const Statement& row, QueueSite& into) {
  using Column = QueueSiteColumn;
  if (!within(row, Column::id, 1, max_count) || !is(row, Column::origin, SQLITE_TEXT) ||
      !within(row, Column::pending, 0, UrlIndex::max_number) || !is_rank_in(row, Column::rank)) {
    return false;
  }
  const std::string_view name = row.bytes(Column::origin);
  const auto origin = Origin::of(name);
  if (!origin || origin->to_string() != name) return false;
  into = {row.integer(Column::id), std::string(name), static_cast<std::uint64_t>(row.integer(Column::pending)),
          static_cast<std::int32_t>(-row.integer(Column::rank))};
  return true;
}

bool read_item(const Statement& row, std::string_view origin, QueueItem& into) {
  using Column = QueueColumn;
  constexpr auto min_status = std::numeric_limits<int>::min();
  constexpr auto max_status = std::numeric_limits<int>::max();
  const bool sound = within(row, Column::id, 1, UrlIndex::max_number) && within(row, Column::site, 1, max_count) &&
                     is_rank_in(row, Column::rank) && within(row, Column::state, 0, queue_states - 1) &&
                     is(row, Column::url, SQLITE_TEXT) && is_or_null(row, Column::method, SQLITE_TEXT) &&
                     is_or_null(row, Column::headers, SQLITE_BLOB);
  if (!sound) return false;
  into = {};
  into.id = row.integer(Column::id);
  into.site = row.integer(Column::site);
  into.request.priority = static_cast<std::int32_t>(-row.integer(Column::rank));
  into.state = static_cast<UrlState>(row.integer(Column::state));
  auto url = whole_url(origin, row.bytes(Column::url));
  if (!url) return false;
  into.request.url = *std::move(url);
  if (!row.is_null(Column::method)) into.request.method = row.bytes(Column::method);
  auto headers = unpack_headers(row.bytes(Column::headers));
  if (!headers) return false;
  into.request.headers = *std::move(headers);
  const bool has_digest = row.columns() > Column::digest;
  if (has_digest) {
    if (!is_or_null(row, Column::found, SQLITE_BLOB) || !is_or_null(row, Column::digest, SQLITE_TEXT)) return false;
    into.request.found = row.bytes(Column::found);
  }
  if (row.is_null(Column::at)) return into.state == UrlState::pending;
  if (!within(row, Column::status, min_status, max_status) || !is_or_null(row, Column::why, SQLITE_TEXT) ||
      !is_or_null(row, Column::etag, SQLITE_BLOB) || !is_or_null(row, Column::last_modified, SQLITE_BLOB) ||
      !within(row, Column::at, -max_time, max_time) || !within(row, Column::bytes, 0, max_count)) {
    return false;
  }
  UrlResult& result = into.result.emplace();
  result.status = static_cast<int>(row.integer(Column::status));
  result.why = row.bytes(Column::why);
  result.etag = row.bytes(Column::etag);
  result.last_modified = row.bytes(Column::last_modified);
  result.at = time_of(row.integer(Column::at));
  result.bytes = static_cast<std::uint64_t>(row.integer(Column::bytes));
  if (has_digest) result.digest = row.bytes(Column::digest);
  if (row.columns() > Column::page_url) {
    if (!is_or_null(row, Column::page_url, SQLITE_BLOB)) return false;
    result.page_url = row.bytes(Column::page_url);
  }
  if (row.columns() <= Column::warning) return true;
  if (!is_or_null(row, Column::page_at, SQLITE_INTEGER) || !is_or_null(row, Column::warning, SQLITE_TEXT)) return false;
  result.warning = row.bytes(Column::warning);
  if (row.is_null(Column::page_at)) return true;
  result.page_at = time_of(row.integer(Column::page_at));
  return within(row, Column::page_at, -max_time, max_time);
}

bool read_count(const Statement& row, int column, std::uint64_t& into) {
  into = static_cast<std::uint64_t>(row.integer(column));
  return within(row, column, 0, max_count);
}

Error damaged_queue(const Database& database, const std::string& what) {
  return database.damaged(" (" + what + " of its queue can't be read)");
}

Result<SipKey> queue_key(Database& database) {
  SipKey key{};
  bool sound = false;
  auto read = run(database, "SELECT value FROM meta WHERE name = 'queue_salt'", {}, [&](const Statement& row) {
    const std::string_view salt = row.bytes(only_column);
    sound = is(row, only_column, SQLITE_BLOB) && salt.size() == sizeof key;
    if (sound) std::memcpy(key.data(), salt.data(), sizeof key);
  });
  if (!read) return read.error();
  if (!sound) return damaged_queue(database, "the key");
  return key;
}

std::uint64_t url_hash(const SipKey& key, std::int64_t job, std::string_view method, std::string_view url) {
  thread_local std::string text;
  text.assign(method).append(" ").append(url);
  if (job != first_job_id) text.append(" ").append(std::to_string(job));
  return sip_hash(key, text);
}

std::optional<HashRow> read_hashes(const Statement& row, std::int64_t next) {
  using Column = QueueHashColumn;
  if (!is(row, Column::first, SQLITE_INTEGER) || row.integer(Column::first) != next) return std::nullopt;
  const std::int64_t left = UrlIndex::max_number - next + 1;
  if (within(row, Column::hashes, 1, left)) return HashRow{row.integer(Column::hashes), {}};
  const std::string_view hashes = row.bytes(Column::hashes);
  const auto urls = static_cast<std::int64_t>(hashes.size() / 8);
  if (!is(row, Column::hashes, SQLITE_BLOB) || hashes.size() % 8 != 0 || urls < 1 || urls > left) return std::nullopt;
  return HashRow{urls, hashes};
}

}  // namespace robotrules::store
