// Access: the answer to "may this robot fetch this URL?".
#pragma once

#include <cstdint>
#include <iosfwd>
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

// Writes to_string(access). Include <ostream> where it is used.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, Access access) {
  return out << to_string(access);
}

}  // namespace robotrules
