// A URL queue in PostgreSQL. A job has any number of workers.
#pragma once

#include <memory>
#include <string>

#include <robotrules/url_queue.hpp>

namespace robotrules::store::postgres {

// Fails as open_url_queue() does.
Result<std::unique_ptr<UrlQueue>> open_postgres_queue(const std::string& name, const std::string& job,
                                                      const ServerStoreOptions& options);

}  // namespace robotrules::store::postgres
