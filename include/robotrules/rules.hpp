// Rules: what one robots.txt says to one robot, compiled.
//
//     auto rules = robotrules::Rules::compile(body, "FooBot");
//     if (rules.check("https://example.org/page").allowed()) ...
//
// Stance: lenient in spelling, strict in effect: what can be read counts, what can't is skipped, nothing is guessed
// open. This is the fast path: no document is built and the bytes are not needed afterwards.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>
#include <robotrules/extensions.hpp>
#include <robotrules/lifetimebound.hpp>

namespace robotrules {

// Access: the answer to "may this robot fetch this URL?".

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

// Verdict: may this URL be fetched, and why.

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

namespace core {
class RulesData;
}

// Thread rule: immutable; any number of threads may ask one object, and copies share their data.
// Errors: every byte string is a robots.txt, every string an agent and a URL. Only std::bad_alloc is thrown, and then
// nothing has changed.
class Rules {
 public:
  // No rules and no group: everything is allowed, Why::no_group.
  Rules();

  // Moving copies: there is no empty state that a question could meet.
  Rules(const Rules&) = default;
  Rules& operator=(const Rules&) = default;

  // Reads `robots` (octets; no terminating NUL is needed) for the robot `agent`: a name such as "FooBot", compared
  // without regard to ASCII case. A whole User-Agent header is not taken apart here: see robot_name().
  // `robots_url`, where the file came from, is needed only by dialects whose rule_value is url_reference.
  static Rules compile(std::string_view robots, std::string_view agent, const Dialect& dialect = Dialect::rfc9309(),
                       std::string_view robots_url = {});

  // May `url` be fetched? An absolute URL, or path and query beginning with "/"; a fragment is ignored; the host is
  // not looked at. Cost: O(length of the URL) however many literal rules there are, and for each rule with wildcards
  // at most O(pattern + path); docs/architecture.md tells how.
  //
  // The verdict looks into these rules, so they must live as long as it is used: temporary rules give none.
  Verdict check(std::string_view url) const& ROBOTRULES_LIFETIMEBOUND;
  Verdict check(std::string_view url) const&& = delete;

  // Settings (Crawl-delay, Request-rate, Visit-time, Content-Signal, Content-Usage) hold for the robots that the
  // nearest User-agent lines above them name, also where the rules of neighbouring groups are merged. They never change
  // a verdict. The delay that holds for the robot: the largest of several, at most 86,400 s.
  std::optional<Milliseconds> crawl_delay() const noexcept;

  // The Request-rate and Visit-time that hold for the robot; of several the last that can be read.
  std::optional<RequestRate> request_rate() const noexcept;
  std::optional<TimeOfDay> visit_time() const noexcept;

  // What Content-Usage and Content-Signal say of `url`: lines for the robot, and lines before the first group where
  // there are none of that kind for it. Content-Usage: the longest matching path; equal paths combine to the most
  // restrictive. It answers for any URL, but has a meaning only where check(url) is allowed.
  Usage usage(std::string_view url) const;

  // The Allow and Disallow lines that hold for the robot, in file order. Lines that can match no URL are left out, such
  // as "Disallow: x". The patterns live as long as any copy of this object.
  std::vector<RuleLine> lines() const ROBOTRULES_LIFETIMEBOUND;

  // `url` without the query parameters that Clean-param lines name for its path; otherwise unchanged. Clean-param is
  // for every robot and may stand anywhere; dialects that read one group alone see no line behind it.
  std::string clean(std::string_view url) const;

  std::size_t size() const noexcept;          // Allow and Disallow lines, those that can never match included
  std::size_t memory_bytes() const noexcept;  // heap bytes held, shared among copies
  // Lives as long as any copy of this object.
  const Dialect& dialect() const noexcept ROBOTRULES_LIFETIMEBOUND;

 private:
  friend class RobotsTxt;
  explicit Rules(std::shared_ptr<const core::RulesData> data) noexcept;

  std::shared_ptr<const core::RulesData> data_;
  // How to find the path of a URL, kept here so that it can be done while the rules come into the cache.
  Dialect::UrlPath url_path_;
  Dialect::Encoding url_encoding_;
  bool http_only_;
  bool robots_txt_allowed_;
};

}  // namespace robotrules
