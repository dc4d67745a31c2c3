// RobotsPolicy: what the outcome of fetching a robots.txt means for the site. (How its body is read is the Dialect's.)
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <robotrules/result.hpp>

namespace robotrules {

enum class Meaning : std::uint8_t {
  allow_all,     // the site has no rules
  disallow_all,  // keep away
  unreachable,   // not known: the last good copy holds for a while, else keep away
};

// RFC 9309 section 2.3.1, with the times that sections 2.3.1.4 and 2.4 leave to the robot. Each field may be changed.
// robots_state.hpp judges records by it.
struct RobotsPolicy {
  std::string_view name = "rfc9309";  // a view of a literal

  // Behaviour.
  Meaning unauthorized = Meaning::allow_all;         // 401, 403
  Meaning not_found = Meaning::allow_all;            // 404, 410
  Meaning client_error = Meaning::allow_all;         // other 4xx but 429
  Meaning too_many_requests = Meaning::unreachable;  // 429
  Meaning server_error = Meaning::unreachable;       // 5xx, no answer, a cut body
  Meaning too_many_redirects = Meaning::allow_all;   // more than max_redirects, or a loop
  Meaning long_unreachable = Meaning::unreachable;   // beyond stale_for without a good copy younger than that
  bool keep_stale = false;                           // the last good copy holds beyond stale_for too
  bool allow_downgrade = false;                      // follow from https to http
  unsigned max_redirects = 5;

  // Times.
  std::chrono::seconds freshness_floor{300};     // a file is not asked for again sooner,
  std::chrono::seconds freshness_limit{86'400};  // and not used longer (section 2.4)
  std::chrono::seconds redirects_again{3'600};   // after too many redirects
  std::chrono::seconds retry_first{60};          // after a failure; doubled with each, with jitter,
  std::chrono::seconds retry_longest{3'600};     // up to this
  std::chrono::seconds stale_for{30 * 86'400};   // the last good copy stays in force while unreachable
  std::chrono::seconds long_unreachable_again{86'400};
  std::chrono::milliseconds timeout{20'000};  // of the whole fetch of one hop

  // Size of the decoded body in octets; what is beyond, from the last whole line on, is not read.
  std::size_t body_limit = 512'000;

  static const RobotsPolicy& rfc9309();
  static const RobotsPolicy& strict();        // 401, 403 and too many redirects disallow all
  static const RobotsPolicy& robotstxt_rb();  // 401, 403 disallow all, every failure allows all
  static const RobotsPolicy& lwp_fixed();  // as LWP::RobotUA means it: 4xx allow, and the copy holds while unreachable
  static std::span<const RobotsPolicy* const> presets() noexcept;   // these four, the default first
  static const RobotsPolicy* find(std::string_view name) noexcept;  // by its name, spelled with hyphens

  // Returns what an answer with this status means when it is neither a success nor a redirect.
  Meaning meaning_of(int status) const noexcept;

  friend bool operator==(const RobotsPolicy&, const RobotsPolicy&) = default;
};

// A RobotsPolicy as one line of text: what a durable store keeps, and what `robotrules db PATH export` says of it.
// Thread rule: pure functions.

// "strict unauthorized=disallow_all ... max_redirects=5": a name and all that the policy says of records and of when to
// look again. The name is the preset's, of every other policy "custom". Times and redirects beyond what a policy can
// mean are cut to the nearest that it can.
std::string policy_text(const RobotsPolicy& policy);

// Reads what policy_text() writes: the same text comes of it again. Errors, whose message tells the reason in a few
// words:
//   "policy-newer"    the text has a field that this version does not know
//   "invalid-policy"  it is none that policy_text() writes
Result<RobotsPolicy> policy_of_text(std::string_view text);

}  // namespace robotrules
