// The values of a statement, in the binary form of PostgreSQL's protocol, and the rows of an answer.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>

namespace robotrules::store::postgres {

using Number = std::optional<std::int64_t>;
using Bytes = std::optional<std::string>;

// An index takes keys of up to 2,704 bytes.
inline constexpr std::size_t max_key = 2'000;

// Times are microseconds since 1970.
inline Timestamp timestamp_of(std::int64_t microseconds) { return Timestamp(std::chrono::microseconds(microseconds)); }
inline std::int64_t microseconds_of(Timestamp time) { return time.time_since_epoch().count(); }

// A parameter that is an array: the elements are added one by one.
class ArrayParameter {
 public:
  bool empty() const noexcept { return size_ == 0; }

 protected:
  explicit ArrayParameter(Oid type) noexcept : type_(type) {}
  void add_null();
  void add_number(std::int64_t value);
  void add_bytes(std::string_view value);

 private:
  friend class Parameters;
  std::string encoded() &&;
  Oid type_;
  std::uint32_t size_ = 0;
  std::string elements_;
};
class NumberArray : public ArrayParameter {
 public:
  NumberArray() noexcept;
  void add(Number value) { value ? add_number(*value) : add_null(); }
};
class BytesArray : public ArrayParameter {
 public:
  BytesArray() noexcept;
  void add(std::optional<std::string_view> value) { value ? add_bytes(*value) : add_null(); }
};

// The parameters $1, $2 and so on of a statement. Types: bigint, bytea, text, and arrays of bigint and bytea.
class Parameters {
 public:
  Parameters& number(Number value);
  Parameters& bytes(std::optional<std::string_view> value);
  Parameters& text(std::string_view value);  // precondition: UTF-8 without NUL
  Parameters& numbers(NumberArray values);
  Parameters& numbers(std::span<const Number> values);
  Parameters& byte_strings(BytesArray values);
  Parameters& byte_strings(std::span<const Bytes> values);

  int count() const noexcept { return static_cast<int>(types_.size()); }
  const Oid* types() const noexcept { return types_.data(); }
  const std::vector<Bytes>& values() const noexcept { return values_; }

 private:
  Parameters& add(Oid type, Bytes value);
  std::vector<Oid> types_;
  std::vector<Bytes> values_;
};

struct Statement {
  std::string sql;
  Parameters parameters = {};
  bool is_frequent = false;  // it is prepared where that is possible; its text must not vary
};
using Batch = std::vector<Statement>;

// The rows that one statement returned.
class Rows {
 public:
  explicit Rows(PGresult* result) noexcept : result_(result) {}

  int size() const noexcept { return PQntuples(result_.get()); }
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
using Answers = std::vector<Rows>;  // one for each statement of a batch

}  // namespace robotrules::store::postgres
