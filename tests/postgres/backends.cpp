// The backend of postgres_tests: a store in a schema of its own on the server that the tests share.
#include <robotrules/open_store.hpp>

#include "store/store_contract.hpp"
#include "support/postgres/postgres_server.hpp"

namespace robotrules::test {

const std::vector<Backend>& backends() {
  static const std::vector<Backend> all = [] {
    std::vector<Backend> made;
    if (!PostgresServer::is_installed()) return made;
    made.push_back({"postgres", [](std::function<Timestamp()> clock) {
                      StoreOptions options;
                      options.server.clock = std::move(clock);
                      auto opened = open_store(
                          PostgresServer::shared().uri("first_ever=1&schema=" + PostgresServer::new_schema()),
                          std::move(options));
                      EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
                      return opened.ok() ? opened.value() : make_memory_store();
                    }});
    return made;
  }();
  return all;
}

}  // namespace robotrules::test
