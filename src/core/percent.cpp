#include "core/percent.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "base/ascii.hpp"
#include "base/url_escapes.hpp"

namespace robotrules::core {
namespace {

using Encoding = Dialect::Encoding;
using Byte = unsigned char;

enum class Triplet : std::uint8_t { keep, upper, decode, mark };  // mark: "%" and the byte

constexpr std::uint8_t change_class = 1;
constexpr std::uint8_t star_class = 2;
constexpr std::uint8_t dollar_class = 4;

struct EncodingTable {
  std::array<bool, 256> escape{};           // the plain byte is written as %XX
  std::array<Triplet, 256> triplet{};       // the treatment of the escape %xx of the byte
  std::array<std::uint8_t, 256> classes{};  // change_class ("%" and bytes to escape), star_class, dollar_class
};

constexpr EncodingTable make_table(Encoding encoding, PercentSide side) {
  EncodingTable table;
  for (unsigned c = 0; c < 256; ++c) {
    bool escape = false;
    Triplet triplet = Triplet::keep;
    switch (encoding) {
      case Encoding::none: break;
      case Encoding::upper_and_non_ascii:
        escape = c >= 0x80;
        triplet = Triplet::upper;
        break;
      case Encoding::rfc9309:
        escape = base::is_outside_urls(c);
        triplet = base::is_unreserved(c) ? Triplet::decode : Triplet::upper;
        // Keeps escaped "*" and "$" apart from the special ones: RFC 9309 section 2.2.3 writes them %2A and %24.
        if (side == PercentSide::url && (c == '*' || c == '$')) escape = true;
        break;
      case Encoding::decode_but_slash: triplet = c == '/' ? Triplet::upper : Triplet::decode; break;
      case Encoding::decode_but_reserved:
        triplet = c == '/' || c == '?' || c == '&' || c == '=' ? Triplet::mark : Triplet::decode;
        break;
      case Encoding::uri_escape:
        escape = base::is_outside_urls(c) || c == '[' || c == ']';
        break;  // as URI.pm since 5.11
    }
    table.escape[c] = escape;
    table.triplet[c] = triplet;
    table.classes[c] = escape ? change_class : 0;
  }
  if (encoding != Encoding::none && encoding != Encoding::uri_escape) table.classes['%'] |= change_class;
  table.classes['*'] |= star_class;
  table.classes['$'] |= dollar_class;
  return table;
}

constexpr std::size_t encoding_count = 6;
constexpr auto tables = [] {
  std::array<EncodingTable, 2 * encoding_count> all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = make_table(static_cast<Encoding>(i / 2), static_cast<PercentSide>(i % 2));
  }
  return all;
}();

const EncodingTable& table_of(Encoding encoding, PercentSide side) noexcept {
  return tables[2 * static_cast<std::size_t>(encoding) + static_cast<std::size_t>(side)];
}

constexpr char upper_hex[] = "0123456789ABCDEF";

char* write_escaped(Byte c, char* out) noexcept {
  *out++ = '%';
  *out++ = upper_hex[c >> 4];
  *out++ = upper_hex[c & 15];
  return out;
}

}  // namespace

ByteClasses byte_classes(std::string_view text, Encoding encoding, PercentSide side) noexcept {
  const EncodingTable& table = table_of(encoding, side);
  unsigned classes = 0;
  const auto class_at = [&](std::size_t i) -> unsigned { return table.classes[static_cast<Byte>(text[i])]; };
  std::size_t i = 0;
  for (; i + 4 <= text.size(); i += 4) classes |= class_at(i) | class_at(i + 1) | class_at(i + 2) | class_at(i + 3);
  for (; i < text.size(); ++i) classes |= class_at(i);
  return {(classes & change_class) != 0, (classes & star_class) != 0, (classes & dollar_class) != 0};
}

bool needs_normalising(std::string_view text, Encoding encoding, PercentSide side) noexcept {
  const ByteClasses classes = byte_classes(text, encoding, side);
  if (classes.change || !classes.dollar || encoding != Encoding::rfc9309) return classes.change;
  return side == PercentSide::url || text.find('$') + 1 != text.size();
}

std::size_t normalise(std::string_view text, Encoding encoding, PercentSide side, bool dollar_is_anchor,
                      char* out) noexcept {
  const EncodingTable& table = table_of(encoding, side);
  const bool escape_dollar = encoding == Encoding::rfc9309;
  char* const first = out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<Byte>(text[i]);
    if (c == '%' && i + 2 < text.size()) {
      const int high = base::hex_value(text[i + 1]);
      const int low = base::hex_value(text[i + 2]);
      if (high >= 0 && low >= 0) {
        const auto byte = static_cast<Byte>(16 * high + low);
        switch (table.triplet[byte]) {
          case Triplet::decode: *out++ = static_cast<char>(byte); break;
          case Triplet::upper: out = write_escaped(byte, out); break;
          case Triplet::mark:
            *out++ = '%';
            *out++ = static_cast<char>(byte);
            break;
          case Triplet::keep:
            *out++ = '%';
            *out++ = text[i + 1];
            *out++ = text[i + 2];
            break;
        }
        i += 2;
        continue;
      }
    }
    const bool anchor = c == '$' && dollar_is_anchor && i + 1 == text.size();
    if (table.escape[c] || (c == '$' && escape_dollar && !anchor)) {
      out = write_escaped(c, out);
    } else {
      *out++ = static_cast<char>(c);
    }
  }
  return static_cast<std::size_t>(out - first);
}

std::string normalised_pattern(std::string_view pattern, const Dialect& dialect) {
  if (!needs_normalising(pattern, dialect.pattern_encoding, PercentSide::pattern)) return std::string(pattern);
  std::string out(normalised_bound(pattern.size()), '\0');
  out.resize(normalise(pattern, dialect.pattern_encoding, PercentSide::pattern,
                       dialect.dollar != Dialect::Dollar::literal, out.data()));
  return out;
}

std::string normalised_path(std::string_view path, const Dialect& dialect) {
  if (!needs_normalising(path, dialect.url_encoding, PercentSide::url)) return std::string(path);
  std::string out(normalised_bound(path.size()), '\0');
  out.resize(normalise(path, dialect.url_encoding, PercentSide::url, false, out.data()));
  return out;
}

}  // namespace robotrules::core
