// RobotsPolicy: what the outcome of fetching a robots.txt means for the site, and when the file is fetched again.
//
//     robotrules::RobotsPolicy policy = robotrules::RobotsPolicy::rfc9309();
//     policy.unauthorized = robotrules::PolicyAction::disallow_all;
//     policy.stale_for = std::chrono::days(7);
//     std::cout << robotrules::policy_text(policy) << '\n';
//
// A policy judges how the fetch ended; a Dialect says how the file is read (dialect.hpp). robots_state() applies a
// policy to a record (robots_step.hpp).
//
// Thread rule: a value type and pure functions. Errors: only policy_of_text() fails.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>

namespace robotrules {

// --- RobotsPolicy --------------------------------------------------------------------------------------------------

// The outcome of the last attempt to fetch a robots.txt. A RobotsPolicy says what it means (robots_step.hpp).
enum class RobotsOutcome : std::uint8_t {
  rules,        // there is a file, and its rules apply
  unavailable,  // the site has no file (usually: all URLs are allowed)
  unreachable,  // the fetch failed (usually: no URL is allowed, or the last good copy applies)
};
ROBOTRULES_API std::string_view to_string(RobotsOutcome outcome) noexcept;

// The meaning of an outcome for the URLs of the site.
enum class PolicyAction : std::uint8_t {
  allow_all,     // the site has no rules
  disallow_all,  // no URL may be fetched
  unreachable,   // the rules are unknown: the last good copy applies for a while, after that no URL may be fetched
};

// The default meanings are those of RFC 9309 section 2.3.1. Sections 2.3.1.4 and 2.4 let the robot choose the times.
// Every field may be changed.
struct ROBOTRULES_API RobotsPolicy {
  std::string_view name = "rfc9309";  // a view of a literal, or of another text that outlives all copies

  // Meanings.
  PolicyAction unauthorized = PolicyAction::allow_all;         // status 401 and 403
  PolicyAction not_found = PolicyAction::allow_all;            // 404 and 410
  PolicyAction client_error = PolicyAction::allow_all;         // all other 4xx except 407, 426 and 429
  PolicyAction too_many_requests = PolicyAction::unreachable;  // 429
  // 5xx, no answer, an incomplete body, or a status that is not about the file: 407 and 426
  PolicyAction server_error = PolicyAction::unreachable;
  PolicyAction too_many_redirects = PolicyAction::allow_all;  // more than max_redirects, or a loop
  PolicyAction long_unreachable =
      PolicyAction::unreachable;  // unreachable for longer than stale_for, and no good copy applies
  bool keep_stale = false;        // the last good copy also applies after stale_for
  bool allow_downgrade = false;   // follow redirects from https to http
  unsigned max_redirects = 5;

  // Times.
  std::chrono::seconds freshness_floor{300};     // a file is used at least this long before it is fetched again
  std::chrono::seconds freshness_limit{86'400};  // a file is used at most this long (section 2.4)
  std::chrono::seconds redirects_again{3'600};   // wait after too many redirects
  // Wait after a first failure. Each further failure doubles it. Jitter is added.
  std::chrono::seconds retry_first{60};
  std::chrono::seconds retry_longest{3'600};    // max. of the doubled wait, without jitter
  std::chrono::seconds stale_for{30 * 86'400};  // how long the last good copy applies while the site is unreachable
  std::chrono::seconds long_unreachable_again{86'400};  // wait after a failure when stale_for is over
  std::chrono::milliseconds timeout{20'000};            // max. time of one hop, from its start to its last byte

  // Max. bytes of the decoded body. A longer body is cut after its last whole line within the limit.
  std::size_t body_limit = 512'000;

  // The presets.
  static const RobotsPolicy& rfc9309();       // the default
  static const RobotsPolicy& strict();        // 401, 403 and too many redirects disallow all
  static const RobotsPolicy& robotstxt_rb();  // 401 and 403 disallow all; every other failure allows all
  // As LWP::RobotUA intends it: every 4xx except 407, 426 and 429 allows all, the last good copy applies as long as the
  // site is unreachable, and up to 7 redirects are followed.
  static const RobotsPolicy& lwp_fixed();
  // Returns the four presets, the default first.
  static std::span<const RobotsPolicy* const> presets() noexcept;
  // Returns the preset with that name, such as "lwp-fixed" (with hyphens), or null if there is none.
  static const RobotsPolicy* find(std::string_view name) noexcept;

  // Returns what an answer with this status means. `status` is neither a success nor a redirect; 0: no answer.
  PolicyAction action_for(int status) const noexcept;

  friend bool operator==(const RobotsPolicy&, const RobotsPolicy&) = default;
};

// --- A RobotsPolicy as one line of text, for stores in a file and for `robotrules db PATH export` ------------------

// Returns the name of the policy and all its fields except `timeout` and `body_limit`:
// "strict unauthorized=disallow_all ... max_redirects=5". If no preset has the policy's name, or if one of
// these fields differs from that preset, the text has the name "custom". Times outside 0 to 36,600 days and more than
// 1,000 redirects are cut to these limits.
ROBOTRULES_API std::string policy_text(const RobotsPolicy& policy);

// Returns the policy of a text that policy_text() has written; policy_text() of the result is the same text.
// Fails with one of these errors, whose message gives the reason in a few words:
//   "policy-newer"    the text has a field that this version does not know
//   "invalid-policy"  policy_text() never writes this text
ROBOTRULES_API Result<RobotsPolicy> policy_of_text(std::string_view text);

}  // namespace robotrules
