// The columns of the tables of a file by name, in the order of "SELECT *". Those of gates, records and queued URLs are
// the same in every database: gate_columns.hpp, record_columns.hpp and queue/queue_columns.hpp.
#pragma once

namespace robotrules::store {

// The column of a query that has only one.
inline constexpr int only_column = 0;

struct BodyColumn {
  enum : int { id, hash, size, coding, octets };
};

struct JobColumn {
  enum : int { id, name, fence, note };
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
