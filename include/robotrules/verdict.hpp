// Verdict: may this URL be fetched, and why.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/access.hpp>

namespace robotrules {

class Rules;

// What decided.
enum class Why : std::uint8_t {
  rule,          // the rule in Verdict::rule()
  no_rule,       // a group holds for the robot and none of its rules matches
  empty_group,   // a group holds for the robot and has no rules
  no_group,      // no group holds for the robot
  robots_txt,    // /robots.txt itself is always allowed (RFC 9309 section 2.2.2)
  other_scheme,  // the dialect knows http and https only
  no_robots,     // there is no robots.txt to ask: Access::unknown
};

// Stable codes for programs: "rule", "no-rule", "empty-group", "no-group", "robots-txt", "other-scheme", "no-robots".
std::string_view to_string(Why why) noexcept;

// Writes to_string(why). Include <ostream> where it is used.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, Why why) {
  return out << to_string(why);
}

// A rule as it stands in the file. `pattern` is a view that lives as long as the Rules (or any copy of them).
struct RuleLine {
  Access access = Access::allowed;  // of an Allow or a Disallow line
  std::uint32_t line = 0;           // counts from 1
  std::string_view pattern;         // as written; octets, not always UTF-8

  // "Disallow: /x", "Allow: /y", "Disallow:".
  std::string text() const;
};

// The group a verdict came from: the line of its first User-agent, and the value that names the robot there ("*" for
// the default group). Line 0 where there is none. `agent` lives as long as the Rules.
struct GroupLine {
  std::uint32_t line = 0;
  std::string_view agent;
  bool is_default = false;  // the group for "*"
};

// Three words, cheap to make and to pass. The functions that return views and lines look into the Rules that gave the
// verdict: they must still be alive (or a copy of them). A Verdict made by itself answers `unknown`, `no_robots`.
class Verdict {
 public:
  constexpr Verdict() noexcept = default;

  constexpr Access access() const noexcept { return access_; }
  constexpr bool allowed() const noexcept { return access_ == Access::allowed; }
  constexpr Why why() const noexcept { return why_; }

  // The rule that decided; null unless why() is Why::rule.
  std::optional<RuleLine> rule() const noexcept;

  // The next best rule that matches the URL too and lost; null where there is none.
  std::optional<RuleLine> runner_up() const noexcept;

  // Line of the deciding rule, 0 where no rule decided.
  std::uint32_t line() const noexcept;

  // The group that held for the robot: that of the deciding rule, else the first that holds.
  GroupLine group() const noexcept;

  // The verdict as a sentence, for people. Patterns are escaped: no control octet gets through.
  std::string explanation() const;

 private:
  friend class Rules;
  constexpr Verdict(Access access, Why why, const void* source, std::uint32_t rule, std::uint32_t runner_up) noexcept
      : source_(source), rule_(rule), runner_up_(runner_up), access_(access), why_(why) {}

  static constexpr std::uint32_t none = 0xFFFFFFFF;
  const void* source_ = nullptr;
  std::uint32_t rule_ = none;
  std::uint32_t runner_up_ = none;
  Access access_ = Access::unknown;
  Why why_ = Why::no_robots;
};

}  // namespace robotrules
