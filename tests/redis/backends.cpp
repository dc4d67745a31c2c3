#include <atomic>

#include <robotrules/open_store.hpp>

#include "redis/redis_stores.hpp"
#include "store/store_contract.hpp"

namespace robotrules::test {

RedisServer& shared_server() {
  static RedisServer server;
  return server;
}

RedisCluster& shared_cluster() {
  static RedisCluster cluster(3);
  return cluster;
}

std::string new_prefix() {
  static std::atomic<int> last = 0;
  return "test" + std::to_string(++last);
}

std::shared_ptr<Store> open_redis(const std::string& name, ServerStoreOptions options, store::redis::Seams seams) {
  auto opened = store::redis::open_redis_store(name, options, seams);
  EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
  return opened.ok() ? opened.value() : nullptr;
}

namespace {

std::shared_ptr<Store> open_new(const std::string& name, std::function<Timestamp()> clock) {
  ServerStoreOptions options;
  options.clock = std::move(clock);
  options.timeout = std::chrono::seconds(60);  // the machine may be busy
  return open_redis(name, options, {.guard = false, .max_answer_time = std::chrono::seconds(60)});
}

}  // namespace

std::shared_ptr<Store> new_redis_store(std::function<Timestamp()> clock) {
  return open_new(shared_server().url("?prefix=" + new_prefix()), std::move(clock));
}

std::shared_ptr<Store> new_cluster_store(std::function<Timestamp()> clock) {
  return open_new(shared_cluster().url("?prefix=" + new_prefix()), std::move(clock));
}

// The suites of tests/store run with these.
const std::vector<Backend>& backends() {
  static const std::vector<Backend> all =
      RedisServer::is_installed()
          ? std::vector<Backend>{{"redis", new_redis_store}, {"redis_cluster", new_cluster_store, true}}
          : std::vector<Backend>{};
  return all;
}

TEST(RedisServer, IsInstalled) { NEEDS_REDIS(); }

}  // namespace robotrules::test
