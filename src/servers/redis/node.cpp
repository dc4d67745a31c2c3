#include "servers/redis/node.hpp"

#include <utility>

#include "servers/redis/redis_problems.hpp"

namespace robotrules::store::redis {
namespace {

constexpr std::size_t max_idle = 8;
// A server that has not answered in time is left alone for this long, unless a probe is answered.
constexpr std::chrono::seconds silent_for{5};

}  // namespace

std::unique_ptr<Connection> Node::take_idle() {
  std::vector<std::unique_ptr<Connection>> closed;  // they are closed after the lock was given back
  const std::lock_guard lock(mutex_);
  while (!idle_.empty()) {
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    if (connection->is_open()) return connection;
    closed.push_back(std::move(connection));
  }
  return nullptr;
}

Result<std::unique_ptr<Connection>> Node::connect(Deadline deadline) const {
  if (std::chrono::steady_clock::now() >= deadline) return unreachable(name_, "there was no time left");
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

bool Node::answered(std::int64_t replicas, std::int64_t loss) noexcept {
  has_replicas_.store(replicas > 0, std::memory_order_relaxed);
  {
    const std::lock_guard lock(mutex_);
    silent_until_ = {};
  }
  return loss_.exchange(loss) != loss;
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
