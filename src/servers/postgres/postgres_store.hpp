// The store in a PostgreSQL database.
#pragma once

#include <memory>
#include <string>

#include <robotrules/open_store.hpp>

#include "base/visibility.hpp"

namespace robotrules::store::postgres {

// Fails as open_store() does.
ROBOTRULES_INTERNAL_API Result<std::shared_ptr<Store>> open_postgres_store(const std::string& name,
                                                                           const ServerStoreOptions& options);

}  // namespace robotrules::store::postgres
