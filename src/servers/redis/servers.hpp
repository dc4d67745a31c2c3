// The servers of a store: one, or the masters of a cluster. Sends each command to the server that has its keys.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "servers/redis/node.hpp"
#include "servers/redis/redis_connection.hpp"
#include "servers/redis/redis_settings.hpp"
#include "servers/redis/site_tag.hpp"

namespace robotrules::store::redis {

struct Call {
  std::string tag;  // of its keys
  Command command;
  bool waits_for_replica = false;  // at most half a second, if the server has replicas
};

struct Answer {
  Result<Reply> reply = Reply{};
  std::shared_ptr<Node> node;   // null: no node was known
  bool may_be_executed = true;  // false: the server never got the command, or it has answered with an error
};

// Any thread.
class Servers {
 public:
  // Finds the servers and gives them the library of functions. Fails as open_store() does.
  static Result<std::unique_ptr<Servers>> open(const Settings& settings, std::chrono::milliseconds timeout);

  // Makes the calls, those for one server in one piece and in their order. An error of one call does not change the
  // others. If a server has lost the library of functions, it gets it again. In a cluster, the calls follow a slot that
  // moves.
  // `timeout`: null: that of the store.
  std::vector<Answer> call(const std::vector<Call>& calls, std::optional<std::chrono::milliseconds> timeout = {});
  Answer call(std::string tag, Command command);

  // Makes one call at each master.
  std::vector<Answer> on_masters(const Command& command);
  // Makes a probe (Node::is_silent()) at each master: command_for() of a tag that is in one of its slots. In a cluster,
  // the tag is empty if there is none, and the call is made again with an empty one if the slot is being moved. A node
  // that does not answer takes no time from the others.
  std::vector<Answer> probe_masters(const std::function<Command(const std::string& tag)>& command_for,
                                    std::chrono::milliseconds timeout);
  // Makes one call at a server.
  Answer on_node(const std::shared_ptr<Node>& node, Command command);
  // Returns the masters; in a cluster, those that have slots.
  std::vector<std::shared_ptr<Node>> masters() const;

  bool is_cluster() const noexcept { return is_cluster_; }
  // In a cluster, reads again which node has which slot if that may have changed, or if it was read longer ago than
  // max_age. Does nothing else.
  void refresh(std::optional<std::chrono::milliseconds> max_age = {});
  // How many penalties were on no replica after half a second, though there are replicas.
  std::uint64_t unreplicated() const noexcept { return unreplicated_; }

 private:
  struct Target {
    std::shared_ptr<Node> node;
    bool asks = false;  // the slot is just being moved to this node
  };
  class Round;
  Servers(std::unique_ptr<Connector> connector, const Settings& settings, std::chrono::milliseconds timeout);

  std::shared_ptr<Node> node_at(const ServerAddress& address);
  std::shared_ptr<Node> node_of(const std::string& tag) const;
  Result<void> read_slots(Deadline deadline);
  bool take_slots(const Reply& reply, const ServerAddress& asked);
  // Makes one round of calls at the nodes in `targets`, which have the same places as the calls.
  void run(const std::vector<Call>& calls, const std::vector<std::size_t>& places, const std::vector<Target>& targets,
           std::vector<Answer>& answers, Deadline deadline, bool is_probe);
  // Makes calls at nodes, each with the same place, and gives the library to nodes that lack it.
  std::vector<Answer> on_nodes(const std::vector<std::shared_ptr<Node>>& nodes, const std::vector<Command>& commands,
                               std::chrono::milliseconds timeout, bool is_probe);
  Result<void> load_library(const std::shared_ptr<Node>& node, Deadline deadline);
  // Returns where to make the call again, or null if its answer is final.
  std::optional<Target> next_target(const Call& call, const Answer& answer, Deadline deadline, bool& pauses);

  const std::unique_ptr<Connector> connector_;
  const bool is_cluster_;
  const std::vector<ServerAddress> seeds_;
  const std::chrono::milliseconds timeout_;
  const pid_t process_;                 // a child process has the same connections, and must not use them
  std::atomic<bool> is_stale_ = false;  // the slots may have moved
  std::atomic<std::uint64_t> unreplicated_ = 0;
  mutable std::mutex mutex_;                            // of all below
  std::map<std::string, std::shared_ptr<Node>> nodes_;  // by Node::name()
  std::vector<std::shared_ptr<Node>> masters_;
  std::vector<std::string> tags_;     // of each master: a tag in one of its slots; empty: none
  std::vector<std::uint16_t> slots_;  // the place of the master of each slot in masters_; no_master: none
  Deadline read_at_{};                // when the slots were read
};

}  // namespace robotrules::store::redis
