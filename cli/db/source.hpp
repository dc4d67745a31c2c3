// Stored robots.txt records, for the commands that answer questions about URLs.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <robotrules/robots_state.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

#include "cli/flags/flag_choice.hpp"

namespace robotrules::cli {

// Returns the policy for the records of a database: `chosen` if it was given, else the policy stored in the database,
// else the default policy. Fails as Store::policy() does.
Result<RobotsPolicy> policy_over(const Store& store, const PolicyChoice& chosen);

// The stored robots.txt of one site.
struct KeptRobots {
  RobotsState state = RobotsState::unknown;
  std::shared_ptr<const RobotsRecord> record;  // null if the database has none
  std::string error;                           // a sentence if the database could not be read

  // Return the rules of the record's body for that robot; no rules if the state has none.
  Rules rules(const Origin& origin, std::string_view agent, const Dialect& dialect) const;
  Rules rules(const Origin& origin, const AgentTokens& agent, const Dialect& dialect) const;
};
KeptRobots kept_robots(const Store& store, const Origin& origin, const RobotsPolicy& policy);

}  // namespace robotrules::cli
