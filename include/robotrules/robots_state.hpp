// RobotsState: what the stored record of a site's robots.txt means now, under a policy.
//
//     const auto record = store->robots(origin);  // *record is null if there is no record
//     const auto policy = store->policy();        // *policy is null if none was set
//     if (!record || !policy) return;
//     auto state = robots_state(record->get(), policy->value_or(RobotsPolicy::rfc9309()), store->now());
//
// RobotRules, RobotUA and the command call these functions, so all of them give the same answer.
// Thread rule: pure functions. Errors: none; nothing is thrown.
#pragma once

#include <cstdint>
#include <string_view>

#include <robotrules/enum_text.hpp>
#include <robotrules/export.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

enum class RobotsState : std::uint8_t {
  unknown,       // there is no record, or it is no longer fresh: fetch robots.txt first
  rules,         // the rules in the record's body apply
  stale,         // as `rules`, but the record is the last good copy, because robots.txt cannot be fetched
  allow_all,     // the site has no rules
  disallow_all,  // no URL of the site may be fetched
};

// Returns "unknown", "rules", "stale", "allow-all" or "disallow-all". The view is of a literal and is always valid.
ROBOTRULES_API std::string_view to_string(RobotsState state) noexcept;

// Returns true if the rules in the record's body decide about URLs.
constexpr bool has_rules(RobotsState state) noexcept {
  return state == RobotsState::rules || state == RobotsState::stale;
}

// Returns what `record` means at the time `now`. Null means that the site has no record.
ROBOTRULES_API RobotsState robots_state(const RobotsRecord* record, const RobotsPolicy& policy, Timestamp now) noexcept;

// Returns what the policy says about an outcome without rules. `status` is the status of the last answer; 0: no answer.
ROBOTRULES_API PolicyAction action_for(RobotsOutcome outcome, int status, const RobotsPolicy& policy) noexcept;

// Returns whether a URL of the site may be fetched. `verdict` is the verdict of the record's rules if has_rules(state),
// else the verdict of Rules{}. /robots.txt itself is allowed in every state except `unknown`.
constexpr Access access_in(RobotsState state, const Verdict& verdict) noexcept {
  if (state == RobotsState::unknown) return Access::unknown;
  if (state == RobotsState::disallow_all && verdict.why() != Why::robots_txt) return Access::disallowed;
  return verdict.access();
}

}  // namespace robotrules
