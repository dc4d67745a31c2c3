#include "store/server/engine.hpp"

#include "store/postgres/postgres_queue.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/queue_jobs.hpp"

namespace robotrules::store {

ServerEngine postgres_engine() noexcept {
  return {.open = &postgres::open_postgres_store,
          .open_queue = &postgres::open_postgres_queue,
          .list_jobs = &postgres::list_jobs,
          .remove_job = &postgres::remove_job};
}

}  // namespace robotrules::store
