// The SQL of a store and its queues, by name. It stands in the files sql/*.sql, which the build embeds.
//
//   -- name(types of the parameters): a remark
//   the statement;
//
// Lines that begin with "--" are remarks. In braces stand texts that have another home (sql.cpp): {now}, or the columns
// of a table: {gate} "a, b", {gate $} "$1, $2", {gate []} their types, and {gate = n.} "b = n.b".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/visibility.hpp"

namespace robotrules::store::postgres {

struct NamedSql {
  std::string name;
  std::string types;  // "bigint, bytea[]"
  std::string text;
};
// Returns all statements, in the order of the files.
ROBOTRULES_INTERNAL_API const std::vector<NamedSql>& all_sql();
// Returns the text of a statement. Precondition: there is one of that name.
const std::string& sql(std::string_view name);

}  // namespace robotrules::store::postgres
