// Stores in Redis for tests. All tests of the program share one server; each store has a prefix of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <robotrules/open_store.hpp>

#include "servers/redis/redis_store.hpp"
#include "support/redis/redis_cluster.hpp"
#include "support/redis/redis_server.hpp"

namespace robotrules::test {

inline constexpr const char* a_site = "https://a.example";

// The server that tests share. It is started by the first call.
RedisServer& shared_server();
// The cluster of three masters that tests share. It is started by the first call.
RedisCluster& shared_cluster();
// A prefix that no other store has.
std::string new_prefix();

// Opens a new store on the shared server, on which no site counts as just visited.
std::shared_ptr<Store> new_redis_store(std::function<Timestamp()> clock = {});
std::shared_ptr<Store> new_cluster_store(std::function<Timestamp()> clock = {});

// Opens a store. Fails the test if that fails.
std::shared_ptr<Store> open_redis(const std::string& name, ServerStoreOptions options = {},
                                  store::redis::Seams seams = {});

}  // namespace robotrules::test

// A test that needs a server is skipped if there is none.
#define NEEDS_REDIS() \
  if (!robotrules::test::RedisServer::is_installed()) GTEST_SKIP() << "no redis-server on this machine"
