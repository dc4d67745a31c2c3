// From the bytes of a file to the rules for one robot.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include <robotrules/rules.hpp>

#include "core/rules/agent_match.hpp"
#include "core/rules/rules_data.hpp"
#include "core/rules/selection.hpp"

namespace robotrules::core {

// Read `robots` for `agent`, as Rules::compile() does.
std::shared_ptr<const RulesData> compile_rules(std::string_view robots, std::string_view agent, const Dialect& dialect,
                                               std::string_view robots_url);
std::shared_ptr<const RulesData> compile_rules(std::string_view robots, const AgentTokens& agent,
                                               const Dialect& dialect, std::string_view robots_url);

// The rules for one name.
struct RulesOfName {
  std::shared_ptr<const RulesData> rules;
  bool is_named = false;  // true: a group names the robot, and not only "*"
};

// Returns the rules of the lines that `selector` has kept. `text`: the text that it has read.
RulesOfName build_rules(Selector& selector, std::string_view text, const Dialect& dialect, std::string_view robots_url,
                        ScratchMemory& memory);

// Returns the rules of the first token that a group names. If no group names any of them, returns those of the first
// token. `rules_by(matcher)` returns the RulesOfName of one token.
template <class RulesBy>
std::shared_ptr<const RulesData> first_named(const AgentTokens& agent, const Dialect& dialect, RulesBy rules_by) {
  std::shared_ptr<const RulesData> unnamed;
  for (const std::string& token : agent.tokens) {
    RulesOfName found = rules_by(AgentMatcher(token, dialect, agent.ignores_star));
    if (found.is_named) return std::move(found.rules);
    if (unnamed == nullptr) unnamed = std::move(found.rules);
  }
  if (unnamed == nullptr) unnamed = rules_by(AgentMatcher({}, dialect, agent.ignores_star)).rules;
  return unnamed;
}

}  // namespace robotrules::core
