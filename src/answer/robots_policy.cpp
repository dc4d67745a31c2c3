#include <robotrules/robots_policy.hpp>

#include <array>

namespace robotrules {

std::string_view to_string(RobotsOutcome outcome) noexcept {
  switch (outcome) {
    case RobotsOutcome::rules: return "rules";
    case RobotsOutcome::unavailable: return "unavailable";
    case RobotsOutcome::unreachable: break;
  }
  return "unreachable";
}

const RobotsPolicy& RobotsPolicy::rfc9309() {
  static const RobotsPolicy policy;
  return policy;
}

const RobotsPolicy& RobotsPolicy::strict() {
  static const RobotsPolicy policy = [] {
    RobotsPolicy made;
    made.name = "strict";
    made.unauthorized = PolicyAction::disallow_all;
    made.too_many_redirects = PolicyAction::disallow_all;
    return made;
  }();
  return policy;
}

const RobotsPolicy& RobotsPolicy::robotstxt_rb() {
  static const RobotsPolicy policy = [] {
    RobotsPolicy made;
    made.name = "robotstxt-rb";
    made.unauthorized = PolicyAction::disallow_all;
    made.too_many_requests = PolicyAction::allow_all;
    made.server_error = PolicyAction::allow_all;
    return made;
  }();
  return policy;
}

const RobotsPolicy& RobotsPolicy::lwp_fixed() {
  static const RobotsPolicy policy = [] {
    RobotsPolicy made;
    made.name = "lwp-fixed";
    made.max_redirects = 7;
    made.keep_stale = true;
    return made;
  }();
  return policy;
}

std::span<const RobotsPolicy* const> RobotsPolicy::presets() noexcept {
  static const std::array<const RobotsPolicy*, 4> all{&rfc9309(), &strict(), &robotstxt_rb(), &lwp_fixed()};
  return all;
}

const RobotsPolicy* RobotsPolicy::find(std::string_view name) noexcept {
  for (const RobotsPolicy* policy : presets()) {
    if (policy->name == name) return policy;
  }
  return nullptr;
}

PolicyAction RobotsPolicy::action_for(int status) const noexcept {
  if (status == 401 || status == 403) return unauthorized;
  if (status == 404 || status == 410) return not_found;
  if (status == 429) return too_many_requests;
  if (status == 407 || status == 426) return server_error;  // about the way to the file, and not about the file
  return status >= 400 && status < 500 ? client_error : server_error;
}

}  // namespace robotrules
