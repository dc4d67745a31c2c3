// One pattern against one path: the plain question under every index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <robotrules/dialect.hpp>

namespace robotrules::core {

// Octets behind the end of a path that the functions here may read (and ignore).
inline constexpr std::size_t path_padding = 64;

// Octets compared, as a measure that does not depend on the machine's speed: one step is at most 16 octets of path or
// pattern. Tests hold it to c · (pattern + path); the product uses NoSteps, which costs nothing.
struct CountedSteps {
  std::uint64_t count = 0;
  void add(std::size_t steps) noexcept { count += steps; }
};
struct NoSteps {
  void add(std::size_t) noexcept {}
};

// Where an anchored pattern may end.
struct PathEnds {
  Dialect::Dollar dollar = Dialect::Dollar::literal;
  bool lines = false;  // Dialect::path_lines: before a line feed too, and no "*" goes past one
};

// Does `pattern`, in which each "*" stands for any octets, match a prefix of `path`, or all of it where `anchored`
// (with Dollar::end_or_query: or all before a "?")? Greedy from left to right, never going back: O(pattern + path).
// `path` is followed by path_padding readable octets, `pattern` by 16.
template <class Steps>
bool match_pattern(std::string_view pattern, bool anchored, PathEnds ends, std::string_view path,
                   Steps& steps) noexcept;

extern template bool match_pattern<NoSteps>(std::string_view, bool, PathEnds, std::string_view, NoSteps&) noexcept;
extern template bool match_pattern<CountedSteps>(std::string_view, bool, PathEnds, std::string_view,
                                                 CountedSteps&) noexcept;

// The pattern is used up at path[at]: may it be?
inline bool is_end(std::string_view path, std::size_t at, bool anchored, PathEnds ends) noexcept {
  return !anchored || at == path.size() || (ends.dollar == Dialect::Dollar::end_or_query && path[at] == '?') ||
         (ends.lines && path[at] == '\n');
}

// Do the first `size` octets agree? Both sides are readable for 16 octets behind them.
inline bool equal_padded(const char* a, const char* b, std::size_t size) noexcept {
#if defined(__SSE2__)
  for (std::size_t i = 0; i < size; i += 16) {
    const __m128i left = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + i));
    const __m128i right = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + i));
    const auto same = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(left, right)));
    const std::size_t rest = size - i;
    const unsigned wanted = rest >= 16 ? 0xFFFFu : (1u << rest) - 1;
    if ((same & wanted) != wanted) return false;
  }
  return true;
#else
  return std::memcmp(a, b, size) == 0;
#endif
}

}  // namespace robotrules::core
