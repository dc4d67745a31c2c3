#include "store/sqlite/query.hpp"

#include "store/sqlite/columns.hpp"

namespace robotrules::store {

Result<void> run(Database& database, const char* sql, std::span<const SqlValue> values, const Row& each) {
  auto statement = database.prepared(sql);
  if (!statement) return statement.error();
  const ResetAtEnd reset(*statement.value());
  statement.value()->bind(values);
  int code;
  while ((code = statement.value()->step()) == SQLITE_ROW) {
    if (each) each(*statement.value());
  }
  return code == SQLITE_DONE ? Result<void>() : Result<void>(database.error(code));
}

Result<void> run_checked(Database& database, const char* sql, std::initializer_list<SqlValue> values,
                         const char* detail, const std::function<bool(const Statement&)>& each) {
  bool sound = true;
  auto done = run(database, sql, values, [&](const Statement& row) { sound = sound && each(row); });
  return done && !sound ? Result<void>(database.damaged(detail)) : done;
}

Result<std::optional<std::int64_t>> find_number(Database& database, const char* sql,
                                                std::initializer_list<SqlValue> values) {
  std::optional<std::int64_t> found;
  auto read = run(database, sql, values, [&](const Statement& row) {
    found = row.is_null(only_column) ? std::nullopt : std::optional(row.integer(only_column));
  });
  return read ? Result<std::optional<std::int64_t>>(found) : read.error();
}

}  // namespace robotrules::store
