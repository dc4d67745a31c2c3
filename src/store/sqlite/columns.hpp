// The columns of each table by name, in the order of "SELECT *".
//
// In statements that write a row, parameter ?N is the column with the number N - 1: parameter(GateColumn::interval).
#pragma once

namespace robotrules::store {

// The column of a query that has only one.
inline constexpr int only_column = 0;

// Returns the number of the parameter for `column`. Columns count from 0, parameters from 1.
constexpr int parameter(int column) noexcept { return column + 1; }

struct BodyColumn {
  enum : int { id, hash, size, coding, octets };
};

// The columns from `body_coding` on are those of the body, if the query joins the table body.
struct RobotsColumn {
  enum : int {
    origin,
    body,
    outcome,
    status,
    url,
    hops,
    etag,
    last_modified,
    fetched_at,
    fresh_until,
    failing_since,
    failures,
    lease_fence,
    lease_until,
    truncated,    // since version 2
    lease_owner,  // since version 4
    body_coding,
    body_octets,
    body_size,
    body_hash,
  };
};

struct GateColumn {
  enum : int {
    key,
    interval,
    source,
    armed_at,
    penalty_until,
    incident_at,
    incidents,
    visits,
    last_visit,
    fence,
    holds,
    latency,   // since version 5
    recovery,  // since version 10, as those below
    failures,
    failing_since,
    failed_at,
  };
};

struct JobColumn {
  enum : int { id, name, fence, note };
};

struct QueueSiteColumn {
  enum : int { id, origin, pending, rank, job };
};

// The last column is that of the site, if the query joins the table queue_site.
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
    page_at,   // since version 7
    warning,   // since version 7
    found,     // since version 8
    digest,    // since version 8
    page_url,  // since version 9
    site_origin,
  };
};

struct QueueHashColumn {
  enum : int { first, hashes };
};

struct QueueCountColumn {
  enum : int { job, state, urls };
};

struct QueueOutputColumn {
  enum : int { name, position, job };
};

}  // namespace robotrules::store
