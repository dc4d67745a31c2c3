// Rows of the tables of the queues: statements that read them, and their values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <robotrules/url_queue.hpp>

#include "servers/postgres/transaction.hpp"

namespace robotrules::store::postgres {

// The columns of QueueColumn and of QueueSiteColumn without the job. Join queue_url AS u with queue_site AS s.
inline constexpr std::string_view item_columns =
    "u.id, u.site, u.rank, u.state, u.url, u.method, u.headers, u.status, u.why, u.etag, u.last_modified, u.at,"
    " u.bytes, u.page_at, u.warning, u.found, u.digest, u.page_url, s.origin";
inline constexpr std::string_view site_columns = "id, origin, pending, rank";

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

// The current time in microseconds since 1970, in SQL: the server's, or that of the scripted clock of a test.
std::string sql_time(const Pool& pool);

// Returns the error "unknown-job".
Error job_removed(const std::string& server);

}  // namespace robotrules::store::postgres
