// The tables of URLs and sites of a queue, with the same columns in every database.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <robotrules/url_queue.hpp>

#include "base/visibility.hpp"
#include "store/table_row.hpp"

namespace robotrules::store {

struct QueueSiteColumn {
  enum : int { id, origin, pending, rank, job };
};

// The last column is that of the site, if the query joins the table of sites.
struct QueueColumn {
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
    page_at,   // in files since version 7
    warning,   // since version 7
    found,     // since version 8
    digest,    // since version 8
    page_url,  // since version 9
    site_origin,
  };
};

// Read rows with these columns. Return false if the row is damaged: a value has a wrong type or is out of range. A row
// of an older version may lack the last columns. `origin`: of the site.
ROBOTRULES_INTERNAL_API bool read_site(const TableRow& row, QueueSite& into);
ROBOTRULES_INTERNAL_API bool read_item(const TableRow& row, std::string_view origin, QueueItem& into);

// The columns that a new URL is written to, and its values in their order.
inline constexpr std::array new_url_columns{SqlColumn{"id"},
                                            SqlColumn{"site"},
                                            SqlColumn{"rank"},
                                            SqlColumn{"url", ValueKind::text},
                                            SqlColumn{"method", ValueKind::text},
                                            SqlColumn{"headers", ValueKind::bytes},
                                            SqlColumn{"found", ValueKind::bytes}};
using NewUrlValues = std::array<SqlValue, new_url_columns.size()>;
// `stored`: see whole_url(). `headers`: packed.
ROBOTRULES_INTERNAL_API NewUrlValues new_url_values(std::int64_t id, std::int64_t site, std::string_view stored,
                                                    const QueuedUrl& url, std::string_view headers);

// The columns that a result is written to, and its values in their order. The result must outlive them.
inline constexpr std::array result_columns{SqlColumn{"id"},
                                           SqlColumn{"state"},
                                           SqlColumn{"status"},
                                           SqlColumn{"at"},
                                           SqlColumn{"bytes"},
                                           SqlColumn{"page_at"},
                                           SqlColumn{"why", ValueKind::text},
                                           SqlColumn{"etag", ValueKind::bytes},
                                           SqlColumn{"last_modified", ValueKind::bytes},
                                           SqlColumn{"warning", ValueKind::text},
                                           SqlColumn{"digest", ValueKind::text},
                                           SqlColumn{"page_url", ValueKind::bytes}};
using ResultValues = std::array<SqlValue, result_columns.size()>;
ROBOTRULES_INTERNAL_API ResultValues result_values(const FinishedUrl& settled);

}  // namespace robotrules::store
