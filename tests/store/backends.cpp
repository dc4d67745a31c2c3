#include <robotrules/open_store.hpp>

#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test {

const std::vector<Backend>& backends() {
  static const std::vector<Backend> all{
      {"memory",
       [](std::function<Timestamp()> clock) {
         MemoryStoreOptions options;
         options.clock = std::move(clock);
         return make_memory_store(std::move(options));
       }},
      {"sqlite",
       [](std::function<Timestamp()> clock) {
         SqliteStoreOptions options;
         options.first_ever = true;
         options.time.wall = clock;
         options.time.since_boot = [clock] { return clock().time_since_epoch(); };
         options.time.boot_id = [] { return std::string("one"); };
         auto opened = open_sqlite_store(new_folder() + "/store.db", std::move(options));
         EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
         return opened.ok() ? opened.value() : make_memory_store();
       }},
  };
  return all;
}

}  // namespace robotrules::test
