#include "store/store_contract.hpp"

namespace robotrules::test {

const std::vector<Backend>& backends() {
  static const std::vector<Backend> all{
      {"memory",
       [](std::function<Timestamp()> clock) {
         MemoryStoreOptions options;
         options.clock = std::move(clock);
         return make_memory_store(std::move(options));
       }},
  };
  return all;
}

}  // namespace robotrules::test
