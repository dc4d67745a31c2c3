// The values of a statement, in the binary form of PostgreSQL's protocol, and the rows of an answer.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/table_row.hpp"

namespace robotrules::store::postgres {

using Number = std::optional<std::int64_t>;

// An index takes keys of up to 2,704 bytes.
inline constexpr std::size_t max_key = 2'000;

// A parameter that is an array of numbers or of bytes: the elements are added one by one.
class ArrayParameter {
 public:
  explicit ArrayParameter(ValueKind kind) noexcept : is_of_numbers_(kind == ValueKind::number) {}
  bool empty() const noexcept { return size_ == 0; }
  // Precondition: the value is null or of the kind of the array. Texts are bytes.
  void add(const SqlValue& value);

 private:
  friend class Parameters;
  std::string encoded() &&;
  bool is_of_numbers_;
  std::uint32_t size_ = 0;
  std::string elements_;
};
struct NumberArray : ArrayParameter {
  NumberArray() noexcept : ArrayParameter(ValueKind::number) {}
};
struct BytesArray : ArrayParameter {
  BytesArray() noexcept : ArrayParameter(ValueKind::bytes) {}
};

// The parameters $1, $2 and so on of a statement. Types: bigint, bytea, text, and arrays of bigint and bytea.
class Parameters {
 public:
  Parameters() = default;
  // Texts are bytea; null is a bigint.
  Parameters(std::initializer_list<SqlValue> values);
  Parameters& number(Number value);
  Parameters& bytes(std::optional<std::string_view> value);
  Parameters& text(std::string_view value);  // precondition: UTF-8 without NUL
  Parameters& array(ArrayParameter values);
  Parameters& numbers(std::span<const Number> values);
  Parameters& numbers(std::span<const std::int64_t> values);
  Parameters& byte_strings(std::span<const std::string> values);

  int count() const noexcept { return static_cast<int>(types_.size()); }
  const Oid* types() const noexcept { return types_.data(); }
  const std::vector<std::optional<std::string>>& values() const noexcept { return values_; }

 private:
  Parameters& add(Oid type, std::optional<std::string> value);
  std::vector<Oid> types_;
  std::vector<std::optional<std::string>> values_;
};

struct Statement {
  std::string sql;
  Parameters parameters = {};
  bool is_frequent = false;  // it is prepared where that is possible; its text must not vary
};
using Batch = std::vector<Statement>;

// Rows of a table as the parameters of one statement: an array for each column.
class TableWriter {
 public:
  explicit TableWriter(std::span<const SqlColumn> columns) {
    for (const SqlColumn& column : columns) arrays_.emplace_back(column.kind);
  }
  bool empty() const noexcept { return arrays_.front().empty(); }
  // The values of a row, in the order of the columns.
  void add(std::span<const SqlValue> values) {
    for (std::size_t i = 0; i < arrays_.size(); ++i) arrays_[i].add(values[i]);
  }
  // Adds the arrays to the parameters.
  Parameters parameters(Parameters first = {}) && {
    for (ArrayParameter& array : arrays_) first.array(std::move(array));
    return first;
  }

 private:
  std::vector<ArrayParameter> arrays_;
};

// The rows that one statement returned.
class Rows {
 public:
  explicit Rows(PGresult* result) noexcept : result_(result) {}

  int size() const noexcept { return PQntuples(result_.get()); }
  int columns() const noexcept { return PQnfields(result_.get()); }
  // The number of rows that the statement inserted, changed or deleted.
  std::uint64_t changed() const;
  bool is_null(int row, int column) const noexcept { return PQgetisnull(result_.get(), row, column) != 0; }
  // Precondition: the column is a boolean or an integer. Returns 0 for null.
  std::int64_t number(int row, int column) const noexcept;
  Number optional_number(int row, int column) const noexcept {
    return is_null(row, column) ? Number() : Number(number(row, column));
  }
  // The bytes of a bytea or a text; empty for null. The view lives as long as these rows.
  std::string_view bytes(int row, int column) const noexcept;

 private:
  struct Clear {
    void operator()(PGresult* result) const noexcept { PQclear(result); }
  };
  std::unique_ptr<PGresult, Clear> result_;
};

// One of the rows, which must outlive it.
class RowOf final : public TableRow {
 public:
  RowOf(const Rows& rows, int row) noexcept : rows_(rows), row_(row) {}
  int columns() const noexcept override { return rows_.columns(); }
  // The server knows what its values are, and texts that sites choose are bytes there.
  bool is(int column, ValueKind kind) const noexcept override {
    return (kind == ValueKind::null) == rows_.is_null(row_, column);
  }
  std::int64_t integer(int column) const noexcept override { return rows_.number(row_, column); }
  std::string_view bytes(int column) const noexcept override { return rows_.bytes(row_, column); }

 private:
  const Rows& rows_;
  const int row_;
};
using Answers = std::vector<Rows>;  // one for each statement of a batch

}  // namespace robotrules::store::postgres
