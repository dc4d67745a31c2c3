// The store in a PostgreSQL database.
#pragma once

#include <memory>
#include <string>

#include <robotrules/open_store.hpp>

namespace robotrules::store::postgres {

// Fails as open_store() does.
Result<std::shared_ptr<Store>> open_postgres_store(const std::string& name, const ServerStoreOptions& options);

}  // namespace robotrules::store::postgres
