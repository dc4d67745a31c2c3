#include "support/redis/redis_cluster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "servers/redis/site_tag.hpp"
#include "support/eventually.hpp"

namespace robotrules::test {

using namespace std::chrono_literals;
using store::redis::Command;
using store::redis::Reply;

void wait_until(const std::function<bool()>& condition, const std::string& what) {
  ASSERT_TRUE(eventually(condition, 30s)) << what;
}

// A master sends nothing before a new replica has reported for the first time, which takes up to a second.
void wait_for_replica(RedisServer& master, RedisServer& replica) {
  master.call({"FUNCTION", "FLUSH"});  // a change of no consequence
  const auto follows = [&] {
    const std::string offset = replica.info("slave_repl_offset");
    return offset != "0" && offset == master.info("master_repl_offset");
  };
  wait_until(follows, "the replica follows its master");
}

RedisCluster::RedisCluster(std::size_t masters, std::size_t replicas) {
  for (std::size_t i = 0; i < masters + replicas; ++i) {
    bus_ports_.emplace_back();
    nodes_.push_back(std::make_unique<RedisServer>(
        std::vector<std::string>{"--cluster-enabled", "yes", "--cluster-port", std::to_string(bus_ports_.back().port()),
                                 "--cluster-node-timeout", "1000", "--cluster-require-full-coverage", "no",
                                 "--cluster-replica-validity-factor", "0"}));
  }
  for (std::size_t i = 0; i < masters; ++i) {
    const std::size_t first = store::redis::slot_count * i / masters;
    const std::size_t last = store::redis::slot_count * (i + 1) / masters - 1;
    const Reply added = nodes_[i]->call({"CLUSTER", "ADDSLOTSRANGE", std::to_string(first), std::to_string(last)});
    EXPECT_FALSE(added.is_error()) << added.text;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i]->call({"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)});
    if (i == 0) continue;
    const std::string bus = nodes_[i]->call({"CONFIG", "GET", "cluster-port"}).items.at(1).text;
    nodes_[0]->call({"CLUSTER", "MEET", "127.0.0.1", std::to_string(nodes_[i]->port()), bus});
  }
  for (const auto& one : nodes_) {
    wait_until(
        [&] {
          const std::string info = one->call({"CLUSTER", "INFO"}).text;
          return info.find("cluster_known_nodes:" + std::to_string(nodes_.size())) != std::string::npos &&
                 info.find("cluster_state:ok") != std::string::npos;
        },
        "the nodes find each other");
  }
  for (std::size_t i = 0; i < replicas; ++i) {
    RedisServer& replica = *nodes_[masters + i];
    wait_until([&] { return !replica.call({"CLUSTER", "REPLICATE", id(i)}).is_error(); }, "a master is known");
  }
  for (std::size_t i = 0; i < replicas; ++i) wait_for_replica(*nodes_[i], *nodes_[masters + i]);
}

std::string RedisCluster::url(const std::string& settings) const {
  std::string url = "redis+cluster://";
  for (const auto& node : nodes_) url += (node == nodes_.front() ? "" : ",") + node->address();
  return url + settings;
}

std::string RedisCluster::id(std::size_t index) const { return nodes_[index]->call({"CLUSTER", "MYID"}).text; }

std::size_t RedisCluster::master_of(std::uint16_t slot) const {
  for (const auto& asked : nodes_) {
    if (asked->process() < 0) continue;
    for (const Reply& range : asked->call({"CLUSTER", "SLOTS"}).items) {
      if (range.number_at(0) > slot || range.number_at(1) < slot || range.items.size() < 3) continue;
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i]->port() == range.items[2].number_at(1)) return i;
      }
    }
  }
  ADD_FAILURE() << "no node has the slot " << slot;
  return 0;
}

void RedisCluster::begin_move(std::uint16_t slot, std::size_t from, std::size_t to) {
  const std::string number = std::to_string(slot);
  EXPECT_FALSE(nodes_[to]->call({"CLUSTER", "SETSLOT", number, "IMPORTING", id(from)}).is_error());
  EXPECT_FALSE(nodes_[from]->call({"CLUSTER", "SETSLOT", number, "MIGRATING", id(to)}).is_error());
}

void RedisCluster::move_keys(std::uint16_t slot, std::size_t from, std::size_t to) {
  for (;;) {
    const Reply keys = nodes_[from]->call({"CLUSTER", "GETKEYSINSLOT", std::to_string(slot), "100"});
    if (keys.items.empty()) return;
    Command move{"MIGRATE", "127.0.0.1", std::to_string(nodes_[to]->port()), "", "0", "5000", "KEYS"};
    for (const Reply& key : keys.items) move.push_back(key.text);
    const Reply moved = nodes_[from]->call(move);
    ASSERT_FALSE(moved.is_error()) << moved.text;
  }
}

void RedisCluster::end_move(std::uint16_t slot, std::size_t to) {
  const std::string number = std::to_string(slot);
  const std::string owner = id(to);
  nodes_[to]->call({"CLUSTER", "SETSLOT", number, "NODE", owner});
  for (const auto& node : nodes_) node->call({"CLUSTER", "SETSLOT", number, "NODE", owner});
  // Before the next move, all nodes must know of this one. Otherwise they disagree, and a node may delete keys.
  wait_until(
      [&] {
        return std::ranges::all_of(nodes_, [&](const auto& node) {
          const auto epoch = [](const std::string& info) {
            const auto at = info.find("cluster_current_epoch:");
            return info.substr(at, info.find('\r', at) - at);
          };
          return epoch(node->call({"CLUSTER", "INFO"}).text) == epoch(nodes_[to]->call({"CLUSTER", "INFO"}).text);
        });
      },
      "all nodes know of the move");
}

bool RedisCluster::is_ok() const {
  return std::ranges::all_of(nodes_, [](const auto& node) {
    return node->process() < 0 || node->call({"CLUSTER", "INFO"}).text.find("cluster_state:ok") != std::string::npos;
  });
}

}  // namespace robotrules::test
