#include "store/postgres/postgres_store.hpp"

#include "store/postgres/schema.hpp"

namespace robotrules::store::postgres {

Result<std::shared_ptr<Store>> open_postgres_store(const std::string& name, const ServerStoreOptions& options) {
  auto opened = open_database(name, options);
  if (!opened) return opened.error();
  return Error{"store-unsuitable", "not built yet"};
}

}  // namespace robotrules::store::postgres
