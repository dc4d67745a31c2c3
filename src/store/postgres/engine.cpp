#include "store/server/engine.hpp"

#include "store/postgres/postgres_store.hpp"

namespace robotrules::store {

ServerEngine postgres_engine() noexcept { return {.open = &postgres::open_postgres_store}; }

}  // namespace robotrules::store
