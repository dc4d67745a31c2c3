#include "servers/postgres/trusted_schema.hpp"

#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "servers/postgres/sql.hpp"

namespace robotrules::store::postgres {
namespace {

struct ForeignColumn {
  enum : int { is_right, what, role, is_public };
};

Statement use_path(const std::string& path) {
  return {"SELECT pg_catalog.set_config('search_path', $1, true)", Parameters().text(path)};
}

}  // namespace

std::string path_of(const std::string& schema) { return quoted(schema) + ", pg_temp"; }
Statement use_catalog() { return use_path("pg_catalog, pg_temp"); }
Statement use_schema(const std::string& schema) { return use_path(path_of(schema)); }

Statement find_foreign(const Settings& settings) {
  return {sql("find_foreign"), Parameters().text(settings.schema).byte_strings(settings.owners)};
}

std::optional<Error> foreign_in(const Rows& rows, const Settings& settings) {
  if (rows.size() == 0) return std::nullopt;
  using Column = ForeignColumn;
  const std::string what = base::printable(rows.bytes(0, Column::what));
  const bool is_public = rows.number(0, Column::is_public) != 0;
  const std::string role =
      is_public ? "every role" : "the role " + base::printable(std::string(rows.bytes(0, Column::role)));
  const std::string trust =
      is_public ? ""
                : ", or add owner=" + base::printable(rows.bytes(0, Column::role)) + " to its name if you trust it";
  const std::string rest = " (docs/operations.md)";
  if (rows.number(0, Column::is_right) != 0) {
    return Error{"store-foreign", "In the schema of the store " + settings.target.shown + ", " + role +
                                      " may create objects, and so run code with the rights of this user: " + what +
                                      trust + rest};
  }
  return Error{"store-foreign", "In the store " + settings.target.shown + ", the " + what + " belongs to " + role +
                                    ", which can run code with the rights of this user: give the name of another "
                                    "schema (?schema=NAME)" +
                                    trust + rest};
}

}  // namespace robotrules::store::postgres
