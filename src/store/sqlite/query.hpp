// One statement and every row of its answer; and times as the tables have them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <robotrules/result.hpp>
#include <robotrules/store.hpp>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

using Bind = std::function<void(Statement&)>;
using Row = std::function<void(const Statement&)>;

// Runs `sql` (a literal) to its end, calling `each` for every row.
Result<void> run(Database& database, const char* sql, const Bind& bind, const Row& each = {});

// Microseconds since 1970; null: no time.
inline std::int64_t count(Timestamp time) { return time.time_since_epoch().count(); }
inline std::optional<std::int64_t> count(const std::optional<Timestamp>& time) {
  return time ? std::optional(count(*time)) : std::nullopt;
}
inline Timestamp time_of(std::int64_t count) { return Timestamp(std::chrono::microseconds(count)); }
inline std::optional<Timestamp> time_in(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(time_of(row.integer(column)));
}

// Greater than the one before, and than those of a row that was pruned: fences go with the time.
std::uint64_t next_fence(std::uint64_t before, Timestamp time);

}  // namespace robotrules::store
