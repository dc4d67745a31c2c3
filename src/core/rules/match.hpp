// Matches one pattern with one path.
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

// Number of bytes after the end of a path that the functions here may read (and ignore).
inline constexpr std::size_t path_padding = 64;

// Counts compared bytes, independent of the speed of the machine: one step is at most 16 bytes of path or pattern.
// Tests check that the count is at most c · (pattern + path). The library itself uses NoSteps, which costs nothing.
struct CountedSteps {
  std::uint64_t count = 0;
  void add(std::size_t steps) noexcept { count += steps; }
};
struct NoSteps {
  void add(std::size_t) noexcept {}
};

// The places where an anchored pattern may end.
struct PathEnds {
  Dialect::Dollar dollar = Dialect::Dollar::literal;
  bool lines = false;  // Dialect::path_lines: also before a line feed, and "*" matches no line feed
};

// Returns true if `pattern` matches a prefix of `path`; if `anchored`, it must match all of `path` (with
// Dollar::end_or_query: or all before a "?"). Each "*" matches any bytes. Greedy from left to right, without
// backtracking: O(pattern + path). `path` is followed by path_padding readable bytes, `pattern` by 16.
template <class Steps>
bool match_pattern(std::string_view pattern, bool anchored, PathEnds ends, std::string_view path,
                   Steps& steps) noexcept;

extern template bool match_pattern<NoSteps>(std::string_view, bool, PathEnds, std::string_view, NoSteps&) noexcept;
extern template bool match_pattern<CountedSteps>(std::string_view, bool, PathEnds, std::string_view,
                                                 CountedSteps&) noexcept;

// Returns true if a pattern may end at path[at].
inline bool is_end(std::string_view path, std::size_t at, bool anchored, PathEnds ends) noexcept {
  return !anchored || at == path.size() || (ends.dollar == Dialect::Dollar::end_or_query && path[at] == '?') ||
         (ends.lines && path[at] == '\n');
}

// Compares the first `size` bytes. On both sides, the next 16 bytes must be readable too.
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
