// A store in a Redis or Valkey server, or in a cluster of them.
#pragma once

#include <memory>
#include <string>

#include <robotrules/open_store.hpp>

#include "base/visibility.hpp"
#include "servers/redis/link.hpp"

namespace robotrules::store::redis {

// Both fail as open_store() does.
ROBOTRULES_INTERNAL_API Result<std::shared_ptr<Store>> open_redis_store(const std::string& name,
                                                                        const ServerStoreOptions& options);
ROBOTRULES_INTERNAL_API Result<std::shared_ptr<Store>> open_redis_store(const std::string& name,
                                                                        const ServerStoreOptions& options, Seams seams);

}  // namespace robotrules::store::redis
