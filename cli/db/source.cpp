#include "cli/db/source.hpp"

#include "base/escape.hpp"

namespace robotrules::cli {

Result<RobotsPolicy> policy_over(const Store& store, const PolicyChoice& chosen) {
  if (chosen.is_given) return chosen.policy;
  const auto kept = store.policy();
  if (!kept) return kept.error();
  RobotsPolicy policy = kept.value().value_or(chosen.policy);
  policy.timeout = chosen.policy.timeout;
  return policy;
}

Rules KeptRobots::rules(const Origin& origin, std::string_view agent, const Dialect& dialect) const {
  return rules(origin, AgentTokens{{std::string(agent)}}, dialect);
}

Rules KeptRobots::rules(const Origin& origin, const AgentTokens& agent, const Dialect& dialect) const {
  if (!has_rules(state)) return {};
  return Rules::compile(*record->body, agent, dialect, record->url.empty() ? origin.robots_url() : record->url);
}

KeptRobots kept_robots(const Store& store, const Origin& origin, const RobotsPolicy& policy) {
  KeptRobots kept;
  auto found = store.robots(origin);
  if (!found) {
    kept.error = base::printable(found.error().message);
    return kept;
  }
  kept.record = std::move(found).value();
  kept.state = robots_state(kept.record.get(), policy, store.now());
  return kept;
}

}  // namespace robotrules::cli
