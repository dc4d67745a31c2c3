#include <robotrules/open_store.hpp>

#include <array>
#include <optional>
#include <utility>

#include <robotrules/url_queue.hpp>

#include "base/store_name.hpp"
#include "store/server/engine.hpp"
#include "store/server/server_session.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/sqlite_jobs.hpp"
#include "store/sqlite/sqlite_queue_rows.hpp"
#include "store/sqlite/url_queue.hpp"

namespace robotrules {
namespace {

using store::ServerEngine;

struct Scheme {
  std::string_view text;     // in front of "://"
  std::string_view package;  // the development package of Debian that this kind of server needs
  ServerEngine (*engine)() noexcept;
};

#ifdef ROBOTRULES_WITH_REDIS
constexpr auto redis = &store::redis_engine;
#else
constexpr ServerEngine (*redis)() noexcept = nullptr;
#endif
#ifdef ROBOTRULES_WITH_POSTGRES
constexpr auto postgres = &store::postgres_engine;
#else
constexpr ServerEngine (*postgres)() noexcept = nullptr;
#endif

constexpr std::array schemes{
    Scheme{"redis", "libhiredis-dev", redis},         Scheme{"rediss", "libhiredis-dev", redis},
    Scheme{"redis+cluster", "libhiredis-dev", redis}, Scheme{"rediss+cluster", "libhiredis-dev", redis},
    Scheme{"postgresql", "libpq-dev", postgres},      Scheme{"postgres", "libpq-dev", postgres},
};

// Returns the engine of a name; null: the name is that of a file. Fails with "store-name".
Result<std::optional<ServerEngine>> engine_of(std::string_view name) {
  const base::ShownStore shown = base::shown_store(name);
  if (shown.is_file) return std::optional<ServerEngine>();
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
    if (scheme.engine != nullptr) return std::optional(scheme.engine());
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

bool is_passing(const Error& error) noexcept { return store::is_passing(error.code); }

Result<std::unique_ptr<UrlQueue>> open_url_queue(const std::string& name, const std::string& job,
                                                 const StoreOptions& options) {
  const auto engine = engine_of(name);
  if (!engine) return engine.error();
  if (!engine.value()) {
    return store::open_hashed_queue(std::string(store::path_in(name)), job, options.sqlite, store::url_hash);
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
