// Queries that read all rows of a statement, and conversions of times.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <robotrules/base.hpp>
#include <robotrules/store.hpp>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

using Bind = std::function<void(Statement&)>;
using Row = std::function<void(const Statement&)>;

// Runs `sql`, which must be a literal, and calls `each` for every row.
Result<void> run(Database& database, const char* sql, const Bind& bind, const Row& each = {});

// Times in the tables are microseconds since 1970; null: no time.
inline std::int64_t count(Timestamp time) { return time.time_since_epoch().count(); }
inline std::optional<std::int64_t> count(const std::optional<Timestamp>& time) {
  return time ? std::optional(count(*time)) : std::nullopt;
}
inline Timestamp time_of(std::int64_t count) { return Timestamp(std::chrono::microseconds(count)); }
inline std::optional<Timestamp> time_in(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(time_of(row.integer(column)));
}

}  // namespace robotrules::store
