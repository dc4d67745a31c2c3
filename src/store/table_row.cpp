#include "store/table_row.hpp"

namespace robotrules::store {

std::string names_of(std::span<const SqlColumn> columns) {
  std::string list;
  for (const SqlColumn& column : columns) list.append(list.empty() ? "" : ", ").append(column.name);
  return list;
}

std::string assignments_of(std::span<const SqlColumn> columns, std::string_view from) {
  std::string list;
  for (std::size_t i = 1; i < columns.size(); ++i) {
    list.append(list.empty() ? "" : ", ").append(columns[i].name).append(" = ").append(from);
    list.append(from == "?" ? std::to_string(i + 1) : std::string(columns[i].name));
  }
  return list;
}

std::string places_of(std::span<const SqlColumn> columns, char mark) {
  std::string list;
  for (std::size_t i = 1; i <= columns.size(); ++i)
    list.append(list.empty() ? "" : ", ").append(1, mark).append(std::to_string(i));
  return list;
}

}  // namespace robotrules::store
