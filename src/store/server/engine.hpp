// The kinds of servers that may keep a store: open_store() and the functions of the URL queue choose one by the name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::store {

// How one kind of server is used. `name` is the whole name that open_store() got.
struct ServerEngine {
  Result<std::shared_ptr<Store>> (*open)(const std::string& name, const ServerStoreOptions& options) = nullptr;
  // Null, all three: this kind of server has no URL queues.
  Result<std::unique_ptr<UrlQueue>> (*open_queue)(const std::string& name, const std::string& job,
                                                  const ServerStoreOptions& options) = nullptr;
  Result<std::vector<QueueJob>> (*list_jobs)(const std::string& name) = nullptr;
  Result<QueueJob> (*remove_job)(const std::string& name, const std::string& job) = nullptr;
};

#ifdef ROBOTRULES_WITH_REDIS
ServerEngine redis_engine() noexcept;
#endif
#ifdef ROBOTRULES_WITH_POSTGRES
ServerEngine postgres_engine() noexcept;
#endif

}  // namespace robotrules::store
