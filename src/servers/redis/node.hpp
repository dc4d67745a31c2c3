// One Redis server: its connections, and whether it answers.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "servers/redis/redis_connection.hpp"

namespace robotrules::store::redis {

// Any thread.
class Node {
 public:
  Node(const Connector& connector, ServerAddress address)
      : connector_(connector), address_(std::move(address)), name_(address_.text()) {}

  const ServerAddress& address() const noexcept { return address_; }
  const std::string& name() const noexcept { return name_; }  // "host:port"

  // Returns an open connection that no other thread uses; null: there is none.
  std::unique_ptr<Connection> take_idle();
  // Opens a connection. Fails at once if the deadline is over.
  Result<std::unique_ptr<Connection>> connect(Deadline deadline) const;
  // Takes a connection back on which no reply is due.
  void put_back(std::unique_ptr<Connection> connection);
  // The server cannot be written any more: another one may have its name now. All connections are closed; those in use,
  // when they are taken back.
  void drop_connections();
  // The server answers. Its replicas are as many. `loss`: when it has last lost writes, perhaps. Returns true if that
  // was after its last answer.
  bool answered(std::int64_t replicas, std::int64_t loss) noexcept;
  // A call had no answer before its deadline.
  void timed_out();
  // Returns true if the server has lately not answered in time. Then only probes are sent to it, so that a node that
  // hangs does not hold up the calls for the others.
  bool is_silent() const;

  bool has_replicas() const noexcept { return has_replicas_.load(std::memory_order_relaxed); }

 private:
  const Connector& connector_;
  const ServerAddress address_;
  const std::string name_;
  std::atomic<bool> has_replicas_ = false;
  std::atomic<std::int64_t> loss_ = 0;
  std::atomic<std::uint64_t> generation_ = 0;  // of the connections; drop_connections() begins another one
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;
  Deadline silent_until_{};  // until then, only probes are made
};

}  // namespace robotrules::store::redis
