#include "store/redis/node.hpp"

#include <utility>

#include "store/redis/problems.hpp"

namespace robotrules::store::redis {
namespace {

constexpr std::size_t max_idle = 8;
// A server that has not answered in time is left alone for this long, unless a probe is answered.
constexpr std::chrono::seconds silent_for{5};

}  // namespace

Result<std::unique_ptr<Connection>> Node::take(Deadline deadline, bool is_probe) {
  if (::getpid() != process_) {
    return Error{"store-forked", "The connections to the Redis server " + name_ +
                                     " belong to the process that has forked this one: open the store again here"};
  }
  std::vector<std::unique_ptr<Connection>> closed;  // they are closed after the lock was given back
  {
    const std::lock_guard lock(mutex_);
    if (!is_probe && std::chrono::steady_clock::now() < silent_until_) {
      return unreachable(name_, "it has not answered in time");
    }
    while (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      if (connection->is_open()) return connection;
      closed.push_back(std::move(connection));
    }
  }
  const std::uint64_t generation = generation_;
  auto connected = connector_.connect(address_, deadline);
  if (connected) connected.value()->set_generation(generation);
  return connected;
}

void Node::put_back(std::unique_ptr<Connection> connection) {
  const std::lock_guard lock(mutex_);
  if (connection->generation() == generation_ && idle_.size() < max_idle) idle_.push_back(std::move(connection));
}

void Node::drop_connections() {
  std::vector<std::unique_ptr<Connection>> closed;
  const std::lock_guard lock(mutex_);
  ++generation_;
  closed.swap(idle_);
}

bool Node::answered(std::int64_t replicas, std::int64_t mark) noexcept {
  has_replicas_.store(replicas > 0, std::memory_order_relaxed);
  {
    const std::lock_guard lock(mutex_);
    silent_until_ = {};
  }
  return mark_.exchange(mark) != mark;
}

bool Node::is_silent() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::steady_clock::now() < silent_until_;
}

void Node::timed_out() {
  const std::lock_guard lock(mutex_);
  silent_until_ = std::chrono::steady_clock::now() + silent_for;
}

}  // namespace robotrules::store::redis
