// Queries that read all rows of a statement.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>

#include <robotrules/result.hpp>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

using Row = std::function<void(const Statement&)>;

// Runs `sql`, which must be a literal, with the values of its parameters, and calls `each` for every row.
Result<void> run(Database& database, const char* sql, std::span<const SqlValue> values, const Row& each = {});
inline Result<void> run(Database& database, const char* sql, std::initializer_list<SqlValue> values,
                        const Row& each = {}) {
  return run(database, sql, std::span(values.begin(), values.size()), each);
}

// Returns the number in the first column of the last row; null if there is no row, or if it is null there.
Result<std::optional<std::int64_t>> find_number(Database& database, const char* sql,
                                                std::initializer_list<SqlValue> values);

}  // namespace robotrules::store
