// Percent-encoding: normalises patterns and paths, so that equal ones have equal bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>

#include "base/visibility.hpp"

namespace robotrules::core {

// Tells which of the two is normalised. "*" and "$" are special in a pattern, but ordinary bytes in a URL.
enum class PercentSide : unsigned char { pattern, url };

// Tells which special bytes a text contains.
struct ByteClasses {
  bool change;  // normalise() may change the text; "$" is not counted
  bool star;
  bool dollar;
};
ByteClasses byte_classes(std::string_view text, Dialect::Encoding encoding, PercentSide side) noexcept;

// Returns false if normalise() would change nothing. A "$" at the end of a pattern counts as an anchor.
bool needs_normalising(std::string_view text, Dialect::Encoding encoding, PercentSide side) noexcept;

// Returns the most bytes that normalise() can write for `size` bytes.
constexpr std::size_t normalised_bound(std::size_t size) noexcept { return 3 * size; }

// Writes the normalised form of `text` to `out` (room for normalised_bound(size) bytes) and returns its size.
// `dollar_is_anchor`: a "$" at the end of a pattern is an anchor and is not encoded.
std::size_t normalise(std::string_view text, Dialect::Encoding encoding, PercentSide side, bool dollar_is_anchor,
                      char* out) noexcept;

// Return the pattern of a rule or the path of a URL as `dialect` compares them. The matcher does the same in its own
// memory.
ROBOTRULES_INTERNAL_API std::string normalised_pattern(std::string_view pattern, const Dialect& dialect);
std::string normalised_path(std::string_view path, const Dialect& dialect);

}  // namespace robotrules::core
