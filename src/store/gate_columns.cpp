#include "store/gate_columns.hpp"

#include <limits>

#include "store/packing.hpp"

namespace robotrules::store {

bool read_gate(const TableRow& row, GateRow& into, std::uint64_t& fence) {
  using Column = GateColumn;
  for (int column = Column::interval; column < row.columns(); ++column) {
    const bool is_number = row.is(column, ValueKind::number) || (column == Column::last_visit && row.is_null(column));
    if (column != Column::holds && !is_number) return false;
  }
  if (!row.is(Column::key, ValueKind::text) || !row.within(Column::source, 0, 3) ||
      !row.within(Column::incidents, 0, std::numeric_limits<std::uint32_t>::max()) ||
      !row.within(Column::visits, 0, max_count) || !row.within(Column::fence, 0, max_count) ||
      !row.is_or_null(Column::holds, ValueKind::bytes)) {
    return false;
  }
  auto holds = unpack_holds(row.bytes(Column::holds));
  if (!holds) return false;
  into.interval = row.integer(Column::interval);
  into.source = static_cast<IntervalSource>(row.integer(Column::source));
  into.armed_at = time_of(row.integer(Column::armed_at));
  into.penalty_until = time_of(row.integer(Column::penalty_until));
  into.incident_at = time_of(row.integer(Column::incident_at));
  into.incidents = static_cast<std::uint32_t>(row.integer(Column::incidents));
  into.visits = static_cast<std::uint64_t>(row.integer(Column::visits));
  into.last_visit = row.time(Column::last_visit);
  fence = static_cast<std::uint64_t>(row.integer(Column::fence));
  into.latency = row.columns() > Column::latency ? row.integer(Column::latency) : 0;  // older files have no latency
  if (row.columns() > Column::failed_at) {
    if (!row.within(Column::recovery, 0, max_failures) || !row.within(Column::failures, 0, max_failures)) return false;
    into.recovery = static_cast<std::uint32_t>(row.integer(Column::recovery));
    into.failures = static_cast<std::uint32_t>(row.integer(Column::failures));
    into.failing_since = time_of(row.integer(Column::failing_since));
    into.failed_at = time_of(row.integer(Column::failed_at));
  }
  into.holds = *std::move(holds);
  return is_sound(into, fence);
}

GateValues::GateValues(std::string_view key, const GateRow& row, std::uint64_t fence)
    : holds_(pack_holds(row.holds)),
      values_{key,
              row.interval,
              static_cast<std::int64_t>(row.source),
              row.armed_at,
              row.penalty_until,
              row.incident_at,
              std::int64_t{row.incidents},
              static_cast<std::int64_t>(row.visits),
              row.last_visit,
              static_cast<std::int64_t>(fence),
              SqlValue::filled_blob(holds_),
              row.latency,
              std::int64_t{row.recovery},
              std::int64_t{row.failures},
              row.failing_since,
              row.failed_at} {}

}  // namespace robotrules::store
