#include <robotrules/compare.hpp>

#include "advice/compare/audience.hpp"

namespace robotrules {

EffectiveRules effective_for(const RobotsTxt& file, const AgentTokens& agent) {
  const advice::GroupFinder finder(file);
  const AppliedGroups applied = finder.find(agent).applied;
  EffectiveRules effective;
  if (!agent.tokens.empty()) effective.agent = agent.tokens.front();
  effective.is_default = applied.is_default;
  effective.compiled = file.rules_for(agent);
  for (const std::uint32_t index : applied.groups) {
    const Group& group = effective.groups.emplace_back(finder.groups()[index]);
    effective.rules.insert(effective.rules.end(), group.rules.begin(), group.rules.end());
  }
  return effective;
}

}  // namespace robotrules
