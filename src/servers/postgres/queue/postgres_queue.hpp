// A URL queue in PostgreSQL. A job has any number of workers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "base/visibility.hpp"

namespace robotrules::store::postgres {

// Fails as open_url_queue() does.
ROBOTRULES_INTERNAL_API Result<std::unique_ptr<UrlQueue>> open_postgres_queue(const std::string& name,
                                                                              const std::string& job,
                                                                              const ServerStoreOptions& options);
// Do what the functions of the same names in url_queue.hpp do.
ROBOTRULES_INTERNAL_API Result<std::vector<QueueJob>> list_jobs(const std::string& name);
ROBOTRULES_INTERNAL_API Result<QueueJob> remove_job(const std::string& name, const std::string& job);

}  // namespace robotrules::store::postgres
