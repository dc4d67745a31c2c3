// Percent-encoding: patterns and paths brought to the one spelling in which they are compared.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>

namespace robotrules::core {

// Which of the two is normalised: in a URL "*" and "$" are octets like any other, in a pattern they are signs.
enum class PercentSide : unsigned char { pattern, url };

// Which octets of interest stand in a text.
struct OctetClasses {
  bool change;  // normalise() may change the text; "$" is not counted
  bool star;
  bool dollar;
};
OctetClasses octet_classes(std::string_view text, Dialect::Encoding encoding, PercentSide side) noexcept;

// False where normalise() would change nothing. A pattern's last "$" is taken for an anchor.
bool needs_normalising(std::string_view text, Dialect::Encoding encoding, PercentSide side) noexcept;

// Octets that normalise() may write for `size` octets.
constexpr std::size_t normalised_bound(std::size_t size) noexcept { return 3 * size; }

// Writes the normalised form of `text` to `out` (room for normalised_bound octets) and answers its size. For a
// pattern a last "$" stays what it is where `dollar_is_anchor`.
std::size_t normalise(std::string_view text, Dialect::Encoding encoding, PercentSide side, bool dollar_is_anchor,
                      char* out) noexcept;

// A rule's pattern and a URL's path as they are compared under `dialect`; the matcher does the same in its own memory.
std::string normalised_pattern(std::string_view pattern, const Dialect& dialect);
std::string normalised_path(std::string_view path, const Dialect& dialect);

}  // namespace robotrules::core
