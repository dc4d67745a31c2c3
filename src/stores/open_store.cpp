#include <robotrules/open_store.hpp>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/url_queue.hpp>

#include "base/store_name.hpp"
#include "queue/sqlite/sqlite_jobs.hpp"
#include "queue/sqlite/url_queue.hpp"
#include "store/sqlite/database.hpp"
#ifdef ROBOTRULES_WITH_REDIS
#include "servers/redis/redis_store.hpp"
#endif
#ifdef ROBOTRULES_WITH_POSTGRES
#include "servers/postgres/postgres_store.hpp"
#include "servers/postgres/queue/postgres_queue.hpp"
#endif

namespace robotrules {
namespace {

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
constexpr ServerEngine redis_engine{.open = &store::redis::open_redis_store};
constexpr const ServerEngine* redis = &redis_engine;
#else
constexpr const ServerEngine* redis = nullptr;
#endif
#ifdef ROBOTRULES_WITH_POSTGRES
constexpr ServerEngine postgres_engine{.open = &store::postgres::open_postgres_store,
                                       .open_queue = &store::postgres::open_postgres_queue,
                                       .list_jobs = &store::postgres::list_jobs,
                                       .remove_job = &store::postgres::remove_job};
constexpr const ServerEngine* postgres = &postgres_engine;
#else
constexpr const ServerEngine* postgres = nullptr;
#endif

struct Scheme {
  std::string_view text;       // in front of "://"
  std::string_view package;    // the development package of Debian that this kind of server needs
  const ServerEngine* engine;  // null: this build has none
};

constexpr std::array schemes{
    Scheme{"redis", "libhiredis-dev", redis},         Scheme{"rediss", "libhiredis-dev", redis},
    Scheme{"redis+cluster", "libhiredis-dev", redis}, Scheme{"rediss+cluster", "libhiredis-dev", redis},
    Scheme{"postgresql", "libpq-dev", postgres},      Scheme{"postgres", "libpq-dev", postgres},
};

// Returns the engine of a name; null: the name is that of a file. Fails with "store-name".
Result<const ServerEngine*> engine_of(std::string_view name) {
  const base::ShownStore shown = base::shown_store(name);
  if (shown.is_file) return nullptr;
  const auto end = shown.text.find("://");
  if (end == std::string::npos) {
    return Error{"store-name", "the name " + shown.text +
                                   " of a store looks like the address of a server and is none; write redis://HOST, "
                                   "rediss://HOST, redis+cluster://HOST,HOST or postgresql://HOST/DATABASE, and put ./ "
                                   "before the name of a file"};
  }
  const std::string_view text = name.substr(0, end);
  for (const Scheme& scheme : schemes) {
    if (scheme.text != text) continue;
    if (scheme.engine != nullptr) return scheme.engine;
    return Error{"store-name", "this build of robotrules cannot use " + std::string(text) +
                                   "://; build it again with " + std::string(scheme.package) + " installed"};
  }
  return Error{"store-name", "no store is known by a name that begins with " + std::string(text) +
                                 "://; write a path, redis://HOST, rediss://HOST, redis+cluster://HOST,HOST or "
                                 "postgresql://HOST/DATABASE"};
}

Error no_queue() {
  return {"store-name", "Redis keeps no URL queues; give the name of a file or of a PostgreSQL database for the queue"};
}

}  // namespace

Result<std::shared_ptr<Store>> open_store(std::string_view name, StoreOptions options) {
  const auto engine = engine_of(name);
  if (!engine) return engine.error();
  if (engine.value()) return engine.value()->open(std::string(name), options.server);
  return open_sqlite_store(std::string(store::path_in(name)), std::move(options.sqlite));
}

Result<std::unique_ptr<UrlQueue>> open_url_queue(const std::string& name, const std::string& job,
                                                 const StoreOptions& options) {
  const auto engine = engine_of(name);
  if (!engine) return engine.error();
  if (!engine.value()) {
    return store::open_file_queue(std::string(store::path_in(name)), job, options.sqlite);
  }
  if (engine.value()->open_queue == nullptr) return no_queue();
  return engine.value()->open_queue(name, job, options.server);
}

Result<std::vector<QueueJob>> list_jobs(const std::string& name) {
  const auto engine = engine_of(name);
  if (!engine) return engine.error();
  if (!engine.value()) return store::list_file_jobs(std::string(store::path_in(name)));
  if (engine.value()->list_jobs == nullptr) return no_queue();
  return engine.value()->list_jobs(name);
}

Result<QueueJob> remove_job(const std::string& name, const std::string& job) {
  const auto engine = engine_of(name);
  if (!engine) return engine.error();
  if (!engine.value()) return store::remove_file_job(std::string(store::path_in(name)), job);
  if (engine.value()->remove_job == nullptr) return no_queue();
  return engine.value()->remove_job(name, job);
}

}  // namespace robotrules
