#include <robotrules/robots_step.hpp>

namespace robotrules {
namespace {

// Returns true if the last good copy of a site that cannot be reached may still be used.
bool is_copy_usable(const RobotsRecord& record, const RobotsPolicy& policy, Timestamp now) {
  return record.body != nullptr && (policy.keep_stale || now - record.fetched_at <= policy.stale_for);
}

RobotsState state_for(PolicyAction action) {
  return action == PolicyAction::allow_all ? RobotsState::allow_all : RobotsState::disallow_all;
}

}  // namespace

std::string_view to_string(RobotsState state) noexcept {
  switch (state) {
    case RobotsState::unknown: return "unknown";
    case RobotsState::rules: return "rules";
    case RobotsState::stale: return "stale";
    case RobotsState::allow_all: return "allow-all";
    case RobotsState::disallow_all: break;
  }
  return "disallow-all";
}

PolicyAction action_for(RobotsOutcome outcome, int status, const RobotsPolicy& policy) noexcept {
  const bool redirects = status >= 300 && status < 400;
  if (outcome == RobotsOutcome::unavailable) {
    if (redirects) return policy.too_many_redirects;
    return status < 300 ? policy.not_found : policy.action_for(status);
  }
  // The status of a failure is 3xx if there were too many redirects and the policy counts them as a failure, or if a
  // redirect cannot be followed. The stricter of both actions applies.
  if (redirects && policy.too_many_redirects == PolicyAction::unreachable) return PolicyAction::unreachable;
  if (status == 206) return PolicyAction::unreachable;  // a part of the file: the rest may disallow more
  return policy.action_for(status);
}

RobotsState robots_state(const RobotsRecord* record, const RobotsPolicy& policy, Timestamp now) noexcept {
  if (record == nullptr || record->fresh_until < now) return RobotsState::unknown;
  if (record->outcome == RobotsOutcome::rules) {
    return record->body != nullptr ? RobotsState::rules : RobotsState::disallow_all;  // only damage can remove a body
  }
  const PolicyAction action = action_for(record->outcome, record->status, policy);
  if (action != PolicyAction::unreachable) return state_for(action);
  if (is_copy_usable(*record, policy, now)) return RobotsState::stale;
  const bool long_gone = record->failing_since && now - *record->failing_since > policy.stale_for;
  return state_for(long_gone ? policy.long_unreachable : PolicyAction::disallow_all);
}

}  // namespace robotrules
