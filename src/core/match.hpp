// One pattern against one path: the plain question under every index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

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

// Does `pattern`, in which each "*" stands for any octets, match a prefix of `path`, or all of it where `anchored`
// (with Dollar::end_or_query: or all before a "?")? Greedy from left to right, never going back: O(pattern + path).
// `path` is followed by path_padding readable octets, `pattern` by 16.
template <class Steps>
bool match_pattern(std::string_view pattern, bool anchored, Dialect::Dollar dollar, std::string_view path,
                   Steps& steps) noexcept;

extern template bool match_pattern<NoSteps>(std::string_view, bool, Dialect::Dollar, std::string_view,
                                            NoSteps&) noexcept;
extern template bool match_pattern<CountedSteps>(std::string_view, bool, Dialect::Dollar, std::string_view,
                                                 CountedSteps&) noexcept;

// Do the first `size` octets agree? Both sides are readable for 16 octets behind them.
bool equal_padded(const char* a, const char* b, std::size_t size) noexcept;

}  // namespace robotrules::core
