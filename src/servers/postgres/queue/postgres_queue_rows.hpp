// Rows of the tables of the queues: statements that read them, and their values.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <robotrules/url_queue.hpp>

#include "queue/queue_columns.hpp"
#include "servers/postgres/transaction.hpp"

namespace robotrules::store::postgres {

// The columns of QueueColumn in SQL. Join queue_url AS u with queue_site AS s.
inline constexpr std::string_view item_columns =
    "u.id, u.site, u.rank, u.state, u.url, u.method, u.headers, u.status, u.why, u.etag, u.last_modified, u.at,"
    " u.bytes, u.page_at, u.warning, u.found, u.digest, u.page_url, s.origin";
// The columns that a new URL is written to, with the hash of method and URL.
inline constexpr auto hashed_url_columns = [] {
  std::array<SqlColumn, new_url_columns.size() + 1> all;
  std::ranges::copy(new_url_columns, all.begin());
  all.back() = {"hash", ValueKind::bytes};
  return all;
}();

// Return the rows of a query with these columns. Fail with "store-damaged".
Result<std::vector<QueueItem>> items_in(const Rows& rows, const std::string& server);
Result<std::vector<QueueSite>> sites_in(const Rows& rows, const std::string& server);
// Reads the sums of the counts, from `first` on.
QueueCounts counts_in(const Rows& rows, int row, int first);
inline constexpr std::string_view count_columns =
    "coalesce(sum(pending), 0)::bigint, coalesce(sum(done), 0)::bigint, coalesce(sum(denied), 0)::bigint,"
    " coalesce(sum(failed), 0)::bigint, coalesce(sum(parked), 0)::bigint, coalesce(sum(cut), 0)::bigint";

// Returns 20 bytes that no two requests share.
std::string request_hash(std::string_view method, std::string_view url);

// Returns the time of the scripted clock of a test, as a parameter; null: the server's clock counts.
Number scripted_time(const Pool& pool);
// The length of a lease, as a parameter.
inline std::int64_t length_of(std::chrono::seconds lease) { return std::chrono::microseconds(lease).count(); }

// Returns the error "unknown-job".
Error job_removed(const std::string& server);

}  // namespace robotrules::store::postgres
