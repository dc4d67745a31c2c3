// Rows of tables in SQL, whichever database has them: those that a query finds, and the values of those that are
// written.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

// Times in the tables are microseconds since 1970; null: no time.
inline std::int64_t count(Timestamp time) { return time.time_since_epoch().count(); }
inline std::optional<std::int64_t> count(const std::optional<Timestamp>& time) {
  return time ? std::optional(count(*time)) : std::nullopt;
}
inline Timestamp time_of(std::int64_t count) { return Timestamp(std::chrono::microseconds(count)); }

// What a value is. A database that does not tell texts from bytes says that a value is either.
enum class ValueKind : std::uint8_t { null, number, text, bytes };

// A row of a query. Columns count from 0.
class ROBOTRULES_INTERNAL_API TableRow {
 public:
  virtual int columns() const noexcept = 0;
  virtual bool is(int column, ValueKind kind) const noexcept = 0;
  virtual std::int64_t integer(int column) const noexcept = 0;    // 0 for null
  virtual std::string_view bytes(int column) const noexcept = 0;  // empty for null

  bool is_null(int column) const noexcept { return is(column, ValueKind::null); }
  bool is_or_null(int column, ValueKind kind) const noexcept { return is(column, kind) || is_null(column); }
  bool within(int column, std::int64_t min, std::int64_t max) const noexcept {
    return is(column, ValueKind::number) && integer(column) >= min && integer(column) <= max;
  }
  std::optional<Timestamp> time(int column) const noexcept {
    return is_null(column) ? std::nullopt : std::optional(time_of(integer(column)));
  }

 protected:
  ~TableRow() = default;
};

// A value that is written. Texts and bytes are not copied: they must live until the statement was run.
struct SqlValue {
  SqlValue() = default;  // null
  SqlValue(std::int64_t value) : kind(ValueKind::number), number(value) {}
  SqlValue(std::optional<std::int64_t> value) : SqlValue(value ? SqlValue(*value) : SqlValue()) {}
  SqlValue(Timestamp time) : SqlValue(count(time)) {}
  SqlValue(std::optional<Timestamp> time) : SqlValue(count(time)) {}
  SqlValue(std::string_view value) : kind(ValueKind::text), bytes(value) {}
  SqlValue(const std::string& value) : SqlValue(std::string_view(value)) {}

  static SqlValue blob(std::string_view value) {
    SqlValue made(value);
    made.kind = ValueKind::bytes;
    return made;
  }
  // Null if the text is empty.
  static SqlValue filled(std::string_view value) { return value.empty() ? SqlValue() : SqlValue(value); }
  static SqlValue filled_blob(std::string_view value) { return value.empty() ? SqlValue() : blob(value); }

  ValueKind kind = ValueKind::null;
  std::int64_t number = 0;
  std::string_view bytes;
};

// A column of a table: its name in SQL, and what its values are.
struct SqlColumn {
  std::string_view name;
  ValueKind kind = ValueKind::number;
};

// Return parts of statements about these columns a and b: "a, b"; for `from` "n." or "?", "b = n.b" or "b = ?2",
// without the first column, which tells the row; and "?1, ?2".
ROBOTRULES_INTERNAL_API std::string names_of(std::span<const SqlColumn> columns);
ROBOTRULES_INTERNAL_API std::string assignments_of(std::span<const SqlColumn> columns, std::string_view from);
ROBOTRULES_INTERNAL_API std::string places_of(std::span<const SqlColumn> columns, char mark);

}  // namespace robotrules::store
