#include "store/sqlite/query.hpp"

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

}  // namespace robotrules::store
