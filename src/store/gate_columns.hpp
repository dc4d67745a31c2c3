// The table gate: one row for each key, with the same columns in every database.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/visibility.hpp"
#include "store/gate_row.hpp"
#include "store/table_row.hpp"

namespace robotrules::store {

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
    latency,   // in files since version 5
    recovery,  // since version 10, as those below
    failures,
    failing_since,
    failed_at,
  };
};
inline constexpr std::array gate_columns{SqlColumn{"key", ValueKind::text},
                                         SqlColumn{"interval"},
                                         SqlColumn{"source"},
                                         SqlColumn{"armed_at"},
                                         SqlColumn{"penalty_until"},
                                         SqlColumn{"incident_at"},
                                         SqlColumn{"incidents"},
                                         SqlColumn{"visits"},
                                         SqlColumn{"last_visit"},
                                         SqlColumn{"fence"},
                                         SqlColumn{"holds", ValueKind::bytes},
                                         SqlColumn{"latency"},
                                         SqlColumn{"recovery"},
                                         SqlColumn{"failures"},
                                         SqlColumn{"failing_since"},
                                         SqlColumn{"failed_at"}};

// Reads a row with these columns; one of an older version may lack the last ones. Returns false if it is damaged: a
// value has a wrong type or is out of range.
ROBOTRULES_INTERNAL_API bool read_gate(const TableRow& row, GateRow& into, std::uint64_t& fence);

// The values of a row, in the order of the columns.
class ROBOTRULES_INTERNAL_API GateValues {
 public:
  GateValues(std::string_view key, const GateRow& row, std::uint64_t fence);
  GateValues(const GateValues&) = delete;
  GateValues& operator=(const GateValues&) = delete;
  std::span<const SqlValue> all() const noexcept { return values_; }

 private:
  const std::string holds_;
  const std::array<SqlValue, gate_columns.size()> values_;
};

}  // namespace robotrules::store
