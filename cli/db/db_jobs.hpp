// The jobs of a database, for `robotrules get` and `robotrules db`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <robotrules/base.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::cli {

// Returns false for the name of a store in Redis, which keeps no queues.
bool may_have_queues(std::string_view name);

// Returns the job with that name. Without a name, returns the only job, or the only one with URLs: a start that failed
// leaves none. Fails with "unknown-job". `path` is that of the database. The result points into `jobs`.
Result<const QueueJob*> find_job(const std::vector<QueueJob>& jobs, const std::optional<std::string>& name,
                                 const std::string& path);

// Returns what get keeps in the note of a job, its flags above all; an empty object if there is nothing.
nlohmann::ordered_json kept_flags(std::string_view note);

}  // namespace robotrules::cli
