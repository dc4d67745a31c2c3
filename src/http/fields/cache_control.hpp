// Cache-Control of a response (RFC 9111 section 5.2.2), as far as a private cache is concerned.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace robotrules::agent {

struct CacheControl {
  std::optional<std::chrono::seconds> max_age;  // of the first max-age; zero where it is no number
  bool no_store = false;
  bool no_cache = false;  // with or without field names: section 5.2.2.4 lets a cache take both alike
  bool must_revalidate = false;
};

// 2^31 seconds: section 1.2.2.
inline constexpr std::chrono::seconds longest_delta{std::int64_t{1} << 31};
// Null where the text is no number of seconds; a greater number is longest_delta.
std::optional<std::chrono::seconds> parse_delta(std::string_view text) noexcept;

CacheControl parse_cache_control(std::span<const std::string_view> lines);

}  // namespace robotrules::agent
