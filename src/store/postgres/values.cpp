#include "store/postgres/values.hpp"

#include <charconv>
#include <functional>
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
void append_big_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int byte = bytes - 1; byte >= 0; --byte) out.push_back(static_cast<char>((value >> (8 * byte)) & 0xFF));
}

std::string of_number(std::int64_t value) {
  std::string out;
  append_big_endian(out, static_cast<std::uint64_t>(value), 8);
  return out;
}

// An array of one dimension: dimensions, whether there are nulls, the type, the size, the first index, and then each
// element after its length; -1: null.
template <class Element, class ToBytes>
std::string of_array(Oid type, std::span<const std::optional<Element>> values, ToBytes to_bytes) {
  std::string out;
  if (values.empty()) {
    append_big_endian(out, 0, 4);
    append_big_endian(out, 0, 4);
    append_big_endian(out, type, 4);
    return out;
  }
  append_big_endian(out, 1, 4);
  append_big_endian(out, 1, 4);
  append_big_endian(out, type, 4);
  append_big_endian(out, values.size(), 4);
  append_big_endian(out, 1, 4);
  for (const auto& value : values) {
    if (!value) {
      append_big_endian(out, 0xFFFFFFFF, 4);
      continue;
    }
    const auto& bytes = to_bytes(*value);
    append_big_endian(out, bytes.size(), 4);
    out.append(bytes);
  }
  return out;
}

}  // namespace

Parameters& Parameters::add(Oid type, Bytes value) {
  types_.push_back(type);
  values_.push_back(std::move(value));
  return *this;
}

Parameters& Parameters::number(Number value) {
  return add(bigint_type, value ? Bytes(of_number(*value)) : std::nullopt);
}
Parameters& Parameters::bytes(std::optional<std::string_view> value) {
  return add(bytea_type, value ? Bytes(std::string(*value)) : std::nullopt);
}
Parameters& Parameters::text(std::string_view value) { return add(text_type, std::string(value)); }
Parameters& Parameters::numbers(std::span<const Number> values) {
  return add(bigint_array_type, of_array<std::int64_t>(bigint_type, values, of_number));
}
Parameters& Parameters::byte_strings(std::span<const Bytes> values) {
  return add(bytea_array_type, of_array<std::string>(bytea_type, values, std::identity()));
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
