// Access: the answer to "may this robot fetch this URL?".
#pragma once

#include <cstdint>
#include <string_view>

namespace robotrules {

// Never a bool and never a number: `unknown` is neither yes nor no. It is the answer where no robots.txt is at hand
// (WWW::RobotRules answers -1 there). A polite robot fetches only what is `allowed`.
enum class Access : std::uint8_t { allowed, disallowed, unknown };

// "allowed", "disallowed" or "unknown"; the view is of a literal and lives for ever.
constexpr std::string_view to_string(Access access) noexcept {
  switch (access) {
    case Access::allowed: return "allowed";
    case Access::disallowed: return "disallowed";
    case Access::unknown: break;
  }
  return "unknown";
}

}  // namespace robotrules
