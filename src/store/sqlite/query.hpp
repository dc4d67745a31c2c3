// Queries that read all rows of a statement.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>

#include <robotrules/base.hpp>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

using Row = std::function<void(const Statement&)>;

// Runs `sql`, which must be a literal, with the values of its parameters, and calls `each` for every row.
Result<void> run(Database& database, const char* sql, std::span<const SqlValue> values, const Row& each = {});
inline Result<void> run(Database& database, const char* sql, std::initializer_list<SqlValue> values,
                        const Row& each = {}) {
  return run(database, sql, std::span(values.begin(), values.size()), each);
}

// Runs it too, and calls `each` for every row until it returns false: then the row is damaged, and it fails with
// "store-damaged" and `detail`, which is a literal such as " (a gate can't be read)".
Result<void> run_checked(Database& database, const char* sql, std::initializer_list<SqlValue> values,
                         const char* detail, const std::function<bool(const Statement&)>& each);

// Returns the number in the first column of the last row; null if there is no row, or if it is null there.
Result<std::optional<std::int64_t>> find_number(Database& database, const char* sql,
                                                std::initializer_list<SqlValue> values);

}  // namespace robotrules::store
