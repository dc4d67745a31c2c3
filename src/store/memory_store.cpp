// A store in memory: shards with a lock each, so that threads that ask of different sites seldom meet.
#include <array>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include <robotrules/store.hpp>

#include "store/origin_hash.hpp"

namespace robotrules {
namespace {

Timestamp system_now() {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(MemoryStoreOptions options) : clock_(std::move(options.clock)) {}

  Timestamp now() const override { return clock_ ? clock_() : system_now(); }

  Result<std::string> agent() const override {
    const std::shared_lock lock(agent_mutex_);
    return agent_;
  }

  Result<std::string> set_agent(std::string_view name) override {
    std::string next(name);
    const std::unique_lock lock(agent_mutex_);
    if (next != agent_) clear();
    return std::exchange(agent_, std::move(next));
  }

  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    const Shard& shard = shard_of(origin);
    const std::shared_lock lock(shard.mutex);
    const auto found = shard.sites.find(origin);
    return found == shard.sites.end() ? nullptr : found->second.robots;
  }

  Result<void> put_robots(const Origin& origin, RobotsRecord record) override {
    auto kept = std::make_shared<const RobotsRecord>(std::move(record));
    Shard& shard = shard_of(origin);
    const std::unique_lock lock(shard.mutex);
    shard.sites[origin].robots = std::move(kept);
    return {};
  }

  Result<void> set_fresh_until(const Origin& origin, Timestamp time) override {
    Shard& shard = shard_of(origin);
    const std::unique_lock lock(shard.mutex);
    const auto found = shard.sites.find(origin);
    if (found == shard.sites.end() || found->second.robots == nullptr) return {};
    RobotsRecord changed = *found->second.robots;
    changed.fresh_until = time;
    found->second.robots = std::make_shared<const RobotsRecord>(std::move(changed));
    return {};
  }

  Result<void> erase_robots(const Origin& origin) override {
    Shard& shard = shard_of(origin);
    const std::unique_lock lock(shard.mutex);
    const auto found = shard.sites.find(origin);
    if (found == shard.sites.end()) return {};
    found->second.robots = nullptr;
    if (found->second.visits.count == 0) shard.sites.erase(found);
    return {};
  }

  Result<void> add_visit(const Origin& origin, Timestamp at) override {
    Shard& shard = shard_of(origin);
    const std::unique_lock lock(shard.mutex);
    Visits& visits = shard.sites[origin].visits;
    ++visits.count;
    visits.last = at;
    return {};
  }

  Result<Visits> visits(const Origin& origin) const override {
    const Shard& shard = shard_of(origin);
    const std::shared_lock lock(shard.mutex);
    const auto found = shard.sites.find(origin);
    return found == shard.sites.end() ? Visits{} : found->second.visits;
  }

 private:
  struct Site {
    std::shared_ptr<const RobotsRecord> robots;
    Visits visits;
  };
  struct Shard {
    mutable std::shared_mutex mutex;
    std::unordered_map<Origin, Site, store::OriginHash> sites;
  };

  // Of another robot's sites nothing may be left for somebody to see, so all shards are held at once.
  void clear() {
    std::array<std::unique_lock<std::shared_mutex>, shard_count> locks;
    for (std::size_t i = 0; i < shard_count; ++i) locks[i] = std::unique_lock(shards_[i].mutex);
    for (Shard& shard : shards_) shard.sites.clear();
  }

  const Shard& shard_of(const Origin& origin) const {
    return shards_[(store::OriginHash{}(origin) >> 7) % shard_count];
  }
  Shard& shard_of(const Origin& origin) { return shards_[(store::OriginHash{}(origin) >> 7) % shard_count]; }

  static constexpr std::size_t shard_count = 64;
  std::function<Timestamp()> clock_;
  mutable std::shared_mutex agent_mutex_;
  std::string agent_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace

std::shared_ptr<Store> make_memory_store(MemoryStoreOptions options) {
  return std::make_shared<MemoryStore>(std::move(options));
}

}  // namespace robotrules
