#include "servers/postgres/postgres_values.hpp"

#include <charconv>
#include <utility>

namespace robotrules::store::postgres {
namespace {

// The numbers of PostgreSQL's own types never change.
constexpr Oid bytea_type = 17;
constexpr Oid bigint_type = 20;
constexpr Oid text_type = 25;
constexpr Oid bytea_array_type = 1001;
constexpr Oid bigint_array_type = 1016;

// Appends a number with the most significant byte first.
template <class Unsigned>
void append_big_endian(std::string& out, Unsigned value) {
  char bytes[sizeof value];
  for (std::size_t i = 0; i < sizeof value; ++i) bytes[i] = static_cast<char>(value >> (8 * (sizeof value - 1 - i)));
  out.append(bytes, sizeof value);
}

}  // namespace

// Each element comes after its length; -1: null.
void ArrayParameter::add(const SqlValue& value) {
  ++size_;
  if (value.kind == ValueKind::null) {
    append_big_endian(elements_, ~std::uint32_t{0});
  } else if (is_of_numbers_) {
    append_big_endian(elements_, std::uint32_t{sizeof value.number});
    append_big_endian(elements_, static_cast<std::uint64_t>(value.number));
  } else {
    append_big_endian(elements_, static_cast<std::uint32_t>(value.bytes.size()));
    elements_.append(value.bytes);
  }
}

// Before the elements: the number of dimensions, whether there may be nulls, the type, the size and the first index. An
// empty array has no dimension.
std::string ArrayParameter::encoded() && {
  const std::uint32_t dimensions = empty() ? 0 : 1;
  std::string header;
  const std::uint32_t type{is_of_numbers_ ? bigint_type : bytea_type};
  for (const std::uint32_t value : {dimensions, dimensions, type}) append_big_endian(header, value);
  if (empty()) return header;
  for (const std::uint32_t value : {size_, std::uint32_t{1}}) append_big_endian(header, value);
  elements_.insert(0, header);
  return std::move(elements_);
}

Parameters& Parameters::add(Oid type, std::optional<std::string> value) {
  types_.push_back(type);
  values_.push_back(std::move(value));
  return *this;
}

Parameters::Parameters(std::initializer_list<SqlValue> values) {
  for (const SqlValue& value : values) {
    const bool is_number = value.kind == ValueKind::number || value.kind == ValueKind::null;
    is_number ? number(value.kind == ValueKind::null ? Number() : Number(value.number)) : bytes(value.bytes);
  }
}

Parameters& Parameters::number(Number value) {
  if (!value) return add(bigint_type, std::nullopt);
  std::string bytes;
  append_big_endian(bytes, static_cast<std::uint64_t>(*value));
  return add(bigint_type, std::move(bytes));
}
Parameters& Parameters::bytes(std::optional<std::string_view> value) {
  return add(bytea_type, value ? std::optional<std::string>(*value) : std::nullopt);
}
Parameters& Parameters::text(std::string_view value) { return add(text_type, std::string(value)); }
Parameters& Parameters::array(ArrayParameter values) {
  return add(values.is_of_numbers_ ? bigint_array_type : bytea_array_type, std::move(values).encoded());
}
Parameters& Parameters::numbers(std::span<const Number> values) {
  NumberArray all;
  for (const Number& value : values) all.add(value);
  return array(std::move(all));
}
Parameters& Parameters::numbers(std::span<const std::int64_t> values) {
  NumberArray all;
  for (const std::int64_t value : values) all.add(value);
  return array(std::move(all));
}
Parameters& Parameters::byte_strings(std::span<const std::string> values) {
  BytesArray all;
  for (const std::string& value : values) all.add(value);
  return array(std::move(all));
}

std::uint64_t Rows::changed() const {
  const std::string_view text = PQcmdTuples(result_.get());
  std::uint64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

std::int64_t Rows::number(int row, int column) const noexcept {
  const std::string_view text = bytes(row, column);
  if (text.empty()) return 0;
  // Shorter integers have a sign too; a boolean is 0 or 1.
  std::uint64_t value = (text.front() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
  for (const char byte : text) value = (value << 8) | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(value);
}

std::string_view Rows::bytes(int row, int column) const noexcept {
  return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

}  // namespace robotrules::store::postgres
