#include "store/sqlite/query.hpp"

#include <algorithm>

namespace robotrules::store {

Result<void> run(Database& database, const char* sql, const Bind& bind, const Row& each) {
  auto statement = database.prepared(sql);
  if (!statement) return statement.error();
  const ResetAtEnd reset(*statement.value());
  if (bind) bind(*statement.value());
  int code;
  while ((code = statement.value()->step()) == SQLITE_ROW) {
    if (each) each(*statement.value());
  }
  return code == SQLITE_DONE ? Result<void>() : Result<void>(database.error(code));
}

std::uint64_t next_fence(std::uint64_t before, Timestamp time) {
  return std::max(before + 1, static_cast<std::uint64_t>(std::max<std::int64_t>(count(time), 0)));
}

}  // namespace robotrules::store
