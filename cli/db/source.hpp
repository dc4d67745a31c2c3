// Stored robots.txt records and jobs, for all commands that use a database.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <robotrules/base.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/robots_step.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>
#include <robotrules/url_queue.hpp>

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

// Returns false for the name of a store in Redis, which keeps no queues.
bool may_have_queues(std::string_view name);

// Returns the job with that name. Without a name, returns the only job, or the only one with URLs: a start that failed
// leaves none. Fails with "unknown-job". `path` is that of the database. The result points into `jobs`.
Result<const QueueJob*> find_job(const std::vector<QueueJob>& jobs, const std::optional<std::string>& name,
                                 const std::string& path);

// Returns what get keeps in the note of a job, its flags above all; an empty object if there is nothing.
nlohmann::ordered_json kept_flags(std::string_view note);

}  // namespace robotrules::cli
