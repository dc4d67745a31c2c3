// Cache-Control of a response (RFC 9111 section 5.2.2), as a private cache reads it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace robotrules::agent {

struct CacheControl {
  std::optional<std::chrono::seconds> max_age;  // of the first max-age; zero if it is not a number
  bool no_store = false;
  bool no_cache = false;  // with or without field names; section 5.2.2.4 lets a cache treat both alike
  bool must_revalidate = false;
};

// 2^31 seconds (section 1.2.2).
inline constexpr std::chrono::seconds max_delta{std::int64_t{1} << 31};
// Returns a number of seconds, at most max_delta; null if the text is not a number.
std::optional<std::chrono::seconds> parse_delta(std::string_view text) noexcept;

// Reads the Cache-Control lines of one head.
CacheControl parse_cache_control(std::span<const std::string_view> lines);

}  // namespace robotrules::agent
