// RobotsState: what the kept record of a site's robots.txt means now, under a policy.
//
//     const auto record = store->robots(origin);                       // null: none is kept
//     const auto policy = store->policy();                             // null: none was set
//     switch (robots_state(record.value().get(), policy.value().value_or(RobotsPolicy::rfc9309()), store->now())) ...
//
// RobotRules, RobotUA and the command ask these functions, so that all of them answer alike.
// Thread rule: pure functions. Nothing is thrown.
#pragma once

#include <cstdint>
#include <string_view>

#include <robotrules/robots_policy.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

enum class RobotsState : std::uint8_t {
  unknown,       // no record, or one that is not fresh any more: fetch robots.txt first
  rules,         // the rules of the record's body hold
  stale,         // they are those of the last good copy, and hold while the site cannot be reached
  allow_all,     // the site has no rules
  disallow_all,  // keep away from the site
};

// "unknown", "rules", "stale", "allow-all", "disallow-all"; the view is of a literal.
std::string_view to_string(RobotsState state) noexcept;

// True when URLs are judged by the rules of the record's body.
constexpr bool has_rules(RobotsState state) noexcept {
  return state == RobotsState::rules || state == RobotsState::stale;
}

// Returns what `record` means at `now`. Null is a site of which no record is kept.
RobotsState robots_state(const RobotsRecord* record, const RobotsPolicy& policy, Timestamp now) noexcept;

// Returns what the policy says of an outcome that brought no rules, and of its status.
Meaning meaning_of(RobotsOutcome outcome, int status, const RobotsPolicy& policy) noexcept;

// May a URL of the site be fetched? `verdict` is that of the record's rules when the state has rules, else that of
// Rules{}. /robots.txt itself is allowed in every state but `unknown`.
constexpr Access access_in(RobotsState state, const Verdict& verdict) noexcept {
  if (state == RobotsState::unknown) return Access::unknown;
  if (state == RobotsState::disallow_all && verdict.why() != Why::robots_txt) return Access::disallowed;
  return verdict.access();
}

}  // namespace robotrules
