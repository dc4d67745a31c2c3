// What a database says of robots.txt, for the commands that ask about URLs.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <robotrules/robots_state.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Returns the policy by which the records of a database are judged: `chosen` when --policy or --strict gives it, else
// the one that the database keeps, else `chosen`, which is the default one then. Errors as of Store::policy().
Result<RobotsPolicy> policy_over(const Store& store, const Options& options, const RobotsPolicy& chosen);
// The same for a command that fetches nothing. Error "invalid-policy" as well.
Result<RobotsPolicy> policy_over(const Store& store, const Options& options);

// What a database says of one site.
struct KeptRobots {
  RobotsState state = RobotsState::unknown;
  std::shared_ptr<const RobotsRecord> record;  // null: none is kept
  std::string error;                           // a sentence when the database could not be read

  // The rules of the record's body for that robot; those of an empty file when the state has none.
  Rules rules(const Origin& origin, std::string_view agent, const Dialect& dialect) const;
};
KeptRobots kept_robots(const Store& store, const Origin& origin, const RobotsPolicy& policy);

}  // namespace robotrules::cli
