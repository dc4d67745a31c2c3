// A Redis Cluster for tests: real servers on this machine.
//
//   RedisCluster cluster(3, 3);  // masters 0 to 2, and replicas 3 to 5 of them
//   auto store = open_redis(cluster.url("?prefix=a"));
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/loopback_socket.hpp"
#include "support/redis/redis_server.hpp"

namespace robotrules::test {

class RedisCluster {
 public:
  // Starts it and waits until all slots are served. Fails the test if that fails.
  explicit RedisCluster(std::size_t masters, std::size_t replicas = 0);

  RedisServer& node(std::size_t index) { return *nodes_[index]; }
  std::size_t size() const { return nodes_.size(); }
  // "redis+cluster://127.0.0.1:7001,127.0.0.1:7002"
  std::string url(const std::string& settings = "") const;
  // The id of a node.
  std::string id(std::size_t index) const;
  // The master that has a slot now.
  std::size_t master_of(std::uint16_t slot) const;
  // Gives a slot to another master, while stores are used.
  void begin_move(std::uint16_t slot, std::size_t from, std::size_t to);
  void move_keys(std::uint16_t slot, std::size_t from, std::size_t to);
  void end_move(std::uint16_t slot, std::size_t to);
  bool is_ok() const;

 private:
  std::vector<LoopbackSocket> bus_ports_;  // of the nodes
  std::vector<std::unique_ptr<RedisServer>> nodes_;
};

// Waits until a replica follows its master.
void wait_for_replica(RedisServer& master, RedisServer& replica);
// Waits until the condition is true. Fails the test after 30 seconds.
void wait_until(const std::function<bool()>& condition, const std::string& what);

}  // namespace robotrules::test
