// A store in memory. It has shards with a lock each, so that threads that work on different sites seldom wait for each
// other.
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include <robotrules/store.hpp>

#include "base/evicting_map.hpp"
#include "store/body_pool.hpp"
#include "store/gate_row.hpp"
#include "store/machine_clock.hpp"
#include "store/origin_hash.hpp"
#include "store/request_check.hpp"

namespace robotrules {
namespace {

using store::GateRow;

constexpr std::size_t gate_shard_count = 64;
constexpr std::size_t site_shard_count = 32;  // put_many() may lock all of them at once

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(MemoryStoreOptions options)
      : clock_(std::move(options.clock)), limit_bytes_(options.limit_bytes) {}

  std::chrono::microseconds since_boot() const override {
    return clock_ ? clock_().time_since_epoch() : store::time_since_boot();
  }
  Timestamp now() const override { return start_ + since_boot(); }
  Timestamp approximate_now() const override { return clock_ ? clock_() : start_ + store::recent_time_since_boot(); }

  Result<std::string> agent() const override {
    const std::shared_lock lock(agent_mutex_);
    return agent_;
  }

  Result<std::string> set_agent(std::string_view name, OtherAgent other) override {
    std::string next(name);
    const std::unique_lock lock(agent_mutex_);
    if (next == agent_) return next;
    if (auto fault = store::find_fault(agent_, next, other)) return *std::move(fault);
    clear();
    return std::exchange(agent_, std::move(next));
  }

  Result<std::optional<RobotsPolicy>> policy() const override {
    const std::shared_lock lock(policy_mutex_);
    return policy_;
  }
  Result<void> set_policy(const RobotsPolicy& policy) override {
    const std::unique_lock lock(policy_mutex_);
    if (policy_ == policy) return {};
    policy_ = policy;
    changed();
    return {};
  }

  Result<std::uint64_t> changes() const override { return changes_.load(std::memory_order_acquire); }

  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    const SiteShard& shard = sites_of(origin);
    const std::shared_lock lock(shard.mutex);
    const Site* site = shard.sites.find(origin);
    return site == nullptr ? nullptr : site->robots;
  }

  Result<void> put_robots(const Origin& origin, RobotsRecord record, const RobotsLease* lease) override {
    if (record.body != nullptr) record.body = bodies_.shared(std::move(record.body));
    auto kept = std::make_shared<const RobotsRecord>(std::move(record));
    const Timestamp time = now();
    SiteShard& shard = sites_of(origin);
    const std::unique_lock lock(shard.mutex);
    if (lease != nullptr && !end_lease(shard, *lease, time)) return store::unknown_token(lease->fence);
    shard.sites.make(origin).first->robots = std::move(kept);
    changed();
    set_site_bytes(shard, origin, time);
    return {};
  }

  Result<void> put_all(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    static_cast<void>(put_many(std::move(records), false));
    return {};
  }
  Result<std::uint64_t> put_newer(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    return put_many(std::move(records), true);
  }

  Result<void> set_fresh_until(const Origin& origin, Timestamp time) override {
    SiteShard& shard = sites_of(origin);
    const std::unique_lock lock(shard.mutex);
    Site* site = shard.sites.find(origin);
    if (site == nullptr || site->robots == nullptr) return {};
    RobotsRecord next = *site->robots;
    next.fresh_until = time;
    site->robots = std::make_shared<const RobotsRecord>(std::move(next));
    changed();
    return {};
  }

  Result<void> erase_robots(const Origin& origin) override {
    SiteShard& shard = sites_of(origin);
    const std::unique_lock lock(shard.mutex);
    Site* site = shard.sites.find(origin);
    if (site == nullptr) return {};
    site->robots = nullptr;
    changed();
    if (site->lease_fence == 0) shard.sites.erase(origin);
    return {};
  }

  Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) override {
    if (auto fault = store::find_fault(length)) return *std::move(fault);
    const Timestamp time = now();
    SiteShard& shard = sites_of(origin);
    const std::unique_lock lock(shard.mutex);
    Site& site = *shard.sites.make(origin).first;
    if (is_leased(site, time)) {
      return LeaseAnswer(Wait{site.lease_until, gate_key(origin), WaitWhy::in_flight});
    }
    site.lease_fence = next_fence();
    site.lease_until = time + length;
    set_site_bytes(shard, origin, time);
    return LeaseAnswer(RobotsLease{site.lease_fence, origin, site.lease_until});
  }

  Result<void> release(const RobotsLease& lease) override {
    const Timestamp time = now();
    SiteShard& shard = sites_of(lease.origin);
    const std::unique_lock lock(shard.mutex);
    if (!end_lease(shard, lease, time)) return store::unknown_token(lease.fence);
    return {};
  }

  GateAnswers call_gate(const GateCalls& calls) override {
    GateAnswers answers = Store::call_gate(calls);
    answers.changes = changes_.load(std::memory_order_acquire);
    return answers;
  }

  Result<ReserveAnswer> reserve(const ReserveRequest& request) override {
    if (auto fault = store::find_fault(request)) return *std::move(fault);
    const GateLocks locks(*this, request.keys);
    const auto asked_at = since_boot();  // no earlier than needed: this store loses no grant
    const Timestamp time = start_ + asked_at;
    store::Refusal refusal;
    GateRow* first = nullptr;
    bool all_known = true;
    for (const std::string& key : request.keys) {
      const auto [row, is_new] = gates_of(key).gates.make(key);
      if (first == nullptr) first = row;
      all_known = all_known && !is_new;
      refusal.add(key, store::find_obstacle(*row, request, time, std::nullopt));
    }
    std::optional<ReserveAnswer> answer;
    if (refusal.has_obstacle()) {
      answer = refusal.answer(time);
    } else {
      Token token = store::token_for(request, next_fence(), time);
      token.asked_at = asked_at;
      store::grant(*first, request, token.fence, time);
      for (std::size_t i = 1; i < request.keys.size(); ++i) {
        store::grant(*gates_of(request.keys[i]).gates.peek(request.keys[i]), request, token.fence, time);
      }
      answer = Granted{std::move(token)};
    }
    for (const std::string& key : request.keys) {
      if (!all_known) set_gate_bytes(key, time);
    }
    return *std::move(answer);
  }

  Result<void> complete(const Token& token, const Outcome& outcome) override { return end(token, &outcome); }
  Result<void> cancel(const Token& token) override { return end(token, nullptr); }

  Result<GateState> gate(std::string_view key) const override {
    const std::string name(key);
    const GateShard& shard = gates_of(name);
    const std::unique_lock lock(shard.mutex);
    const GateRow* row = shard.gates.find(name);
    return row == nullptr ? GateState{} : store::state_of(*row, now());
  }

  Result<std::optional<Timestamp>> just_visited() const override { return std::optional<Timestamp>(); }

  Result<void> add_visit(const Origin& origin, Timestamp at) override {
    const std::string key = gate_key(origin);
    GateShard& shard = gates_of(key);
    const std::unique_lock lock(shard.mutex);
    const auto [row, is_new] = shard.gates.make(key);
    store::add_visit(*row, at, now());
    if (is_new) set_gate_bytes(key, now());
    return {};
  }

  Result<void> restore_gate(std::string_view key, Timestamp penalty_until, const Visits& visits) override {
    const std::string name(key);
    GateShard& shard = gates_of(name);
    const std::unique_lock lock(shard.mutex);
    store::restore(*shard.gates.make(name).first, penalty_until, visits.count, visits.last, now());
    set_gate_bytes(name, now());
    return {};
  }

  Result<bool> forget(const Origin& origin) override {
    const auto record = robots(origin);
    static_cast<void>(erase_robots(origin));
    const std::string key = gate_key(origin);
    GateShard& shard = gates_of(key);
    const std::unique_lock lock(shard.mutex);
    GateRow* const row = shard.gates.find(key);
    const bool penalised = row != nullptr && store::forget_penalty(*row);
    return penalised || record.value() != nullptr;
  }

  Result<Visits> visits(const Origin& origin) const override {
    const auto state = gate(gate_key(origin));
    return Visits{state.value().visits, state.value().last_visit};
  }

  Result<void> for_each_origin(const std::function<bool(const Origin&, const RobotsRecord&)>& each) const override {
    std::map<std::string, std::pair<Origin, std::shared_ptr<const RobotsRecord>>> found;
    for (const SiteShard& shard : site_shards_) {
      const std::shared_lock lock(shard.mutex);
      for (const auto& [origin, entry] : shard.sites.map()) {
        if (entry.value.robots != nullptr) found.try_emplace(origin.to_string(), origin, entry.value.robots);
      }
    }
    for (const auto& [text, site] : found) {
      if (!each(site.first, *site.second)) break;
    }
    return {};
  }

  Result<Pruned> prune(Timestamp before) override {
    Pruned pruned;
    const Timestamp time = now();
    for (SiteShard& shard : site_shards_) {
      const std::unique_lock lock(shard.mutex);
      std::vector<Origin> old;
      for (const auto& [origin, entry] : shard.sites.map()) {
        const Site& site = entry.value;
        if (is_leased(site, time) || (site.robots != nullptr && site.robots->fresh_until >= before)) continue;
        old.push_back(origin);
        if (site.robots != nullptr) ++pruned.robots;
      }
      for (const Origin& origin : old) shard.sites.erase(origin);
      changed();
    }
    for (GateShard& shard : gate_shards_) {
      const std::unique_lock lock(shard.mutex);
      std::vector<std::string> old;
      for (const auto& [key, entry] : shard.gates.map()) {
        if (store::is_old(entry.value, before, time)) old.push_back(key);
      }
      for (const std::string& key : old) shard.gates.erase(key);
      pruned.gates += old.size();
    }
    return pruned;
  }

  bool may_wait() const noexcept override { return false; }

  Result<StoreStats> stats() const override {
    StoreStats stats;
    std::unordered_map<std::string_view, std::shared_ptr<const RobotsRecord>> bodies;
    for (const SiteShard& shard : site_shards_) {
      const std::shared_lock lock(shard.mutex);
      stats.stored_bytes += shard.sites.bytes();
      for (const auto& [origin, entry] : shard.sites.map()) {
        const auto& robots = entry.value.robots;
        if (robots == nullptr) continue;
        ++stats.origins;
        if (robots->body != nullptr) bodies.try_emplace(*robots->body, robots);
      }
    }
    for (const GateShard& shard : gate_shards_) {
      const std::unique_lock lock(shard.mutex);
      stats.stored_bytes += shard.gates.bytes();
      stats.gates += shard.gates.map().size();
    }
    stats.bodies = bodies.size();
    for (const auto& [body, robots] : bodies) stats.body_bytes += body.size();
    return stats;
  }

 private:
  struct Site {
    std::shared_ptr<const RobotsRecord> robots;
    std::uint64_t lease_fence = 0;  // 0: none
    Timestamp lease_until;
  };
  struct SiteShard {
    mutable std::shared_mutex mutex;
    base::EvictingMap<Origin, Site, store::OriginHash> sites;
  };
  struct GateShard {
    mutable std::mutex mutex;
    base::EvictingMap<std::string, GateRow> gates;
  };

  // Locks on the shards of several keys. They are taken in the order of the shards, so that calls cannot deadlock.
  class GateLocks {
   public:
    GateLocks(MemoryStore& store, const std::vector<std::string>& keys) {
      if (keys.size() == 1) {
        only_ = std::unique_lock(store.gates_of(keys.front()).mutex);
        return;
      }
      std::array<bool, gate_shard_count> wanted{};
      for (const std::string& key : keys) wanted[gate_index(key)] = true;
      for (std::size_t i = 0; i < gate_shard_count; ++i) {
        if (wanted[i]) locks_.emplace_back(store.gate_shards_[i].mutex);
      }
    }

   private:
    std::unique_lock<std::mutex> only_;
    std::vector<std::unique_lock<std::mutex>> locks_;
  };

  // Puts the records as one change: no other thread sees some of them without the others, and changes() increases once.
  std::uint64_t put_many(std::vector<std::pair<Origin, RobotsRecord>> records, bool newer_only) {
    std::vector<std::shared_ptr<const RobotsRecord>> kept;
    kept.reserve(records.size());
    std::array<bool, site_shard_count> wanted{};
    for (auto& [origin, record] : records) {
      if (record.body != nullptr) record.body = bodies_.shared(std::move(record.body));
      kept.push_back(std::make_shared<const RobotsRecord>(std::move(record)));
      wanted[site_index(origin)] = true;
    }
    const Timestamp time = now();
    std::vector<std::unique_lock<std::shared_mutex>> locks;
    for (std::size_t i = 0; i < site_shard_count; ++i) {
      if (wanted[i]) locks.emplace_back(site_shards_[i].mutex);
    }
    std::vector<Site*> sites;  // made before the first change, because memory may run out
    sites.reserve(records.size());
    for (const auto& [origin, record] : records) sites.push_back(sites_of(origin).sites.make(origin).first);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      auto& robots = sites[i]->robots;
      if (newer_only && robots != nullptr && kept[i]->fetched_at < robots->fetched_at) continue;
      robots = std::move(kept[i]);
      ++count;
    }
    changed();
    for (const auto& [origin, record] : records) set_site_bytes(sites_of(origin), origin, time);
    return count;
  }

  // Even a token that holds nothing may change a row: its penalty or pause is kept. `outcome`: null: it is cancelled.
  Result<void> end(const Token& token, const Outcome* outcome) {
    const GateLocks locks(*this, token.keys);
    const Timestamp time = now();
    const auto change = [&](const std::string& key, GateRow& row) {
      return outcome == nullptr ? store::cancel(row, token, time)
                                : store::complete(row, token, store::outcome_on(key, *outcome), time);
    };
    bool held = !token.keys.empty();
    for (const std::string& key : token.keys) {
      auto& gates = gates_of(key).gates;
      if (GateRow* row = gates.find(key)) {
        held = change(key, *row) && held;
        continue;
      }
      held = false;
      GateRow row;
      static_cast<void>(change(key, row));
      if (!row.must_write) continue;
      *gates.make(key).first = std::move(row);
      set_gate_bytes(key, time);
    }
    if (!held) return store::unknown_token(token.fence);
    return {};
  }

  static bool is_leased(const Site& site, Timestamp time) { return site.lease_fence != 0 && site.lease_until > time; }

  static bool end_lease(SiteShard& shard, const RobotsLease& lease, Timestamp time) {
    Site* site = shard.sites.find(lease.origin);
    if (site == nullptr || site->lease_fence != lease.fence || !is_leased(*site, time)) return false;
    site->lease_fence = 0;
    return true;
  }

  void set_site_bytes(SiteShard& shard, const Origin& origin, Timestamp time) {
    constexpr std::size_t overhead = 400;  // bytes of an entry besides those in its strings
    const Site* site = shard.sites.peek(origin);
    if (site == nullptr) return;  // the entry was just dropped for another one
    std::size_t bytes = overhead + 2 * origin.host.size();
    if (site->robots != nullptr) {
      const RobotsRecord& record = *site->robots;
      bytes += sizeof record + record.url.size() + record.etag.size() + record.last_modified.size();
      if (record.body != nullptr) bytes += record.body->size();
    }
    shard.sites.set_weight(origin, bytes, limit_bytes_ / (2 * site_shard_count),
                           [time](const Site& other) { return is_leased(other, time); });
  }

  void set_gate_bytes(const std::string& key, Timestamp time) {
    GateShard& shard = gates_of(key);
    const std::size_t bytes = sizeof(GateRow) + 2 * key.size() + 100 + sizeof(store::Hold);
    shard.gates.set_weight(key, bytes, limit_bytes_ / (2 * gate_shard_count),
                           [time](const GateRow& other) { return store::is_live(other, time); });
  }

  // Clears one shard after the other. The caller holds the lock of the name, so when set_agent() returns, no data of
  // the other robot is left.
  void clear() {
    for (SiteShard& shard : site_shards_) {
      const std::unique_lock lock(shard.mutex);
      shard.sites.clear();
    }
    changed();
    for (GateShard& shard : gate_shards_) {
      const std::unique_lock lock(shard.mutex);
      for (auto& [key, entry] : shard.gates.map()) {
        entry.value.visits = 0;
        entry.value.last_visit.reset();
      }
    }
  }

  void changed() { changes_.fetch_add(1, std::memory_order_release); }
  std::uint64_t next_fence() { return fence_.fetch_add(1, std::memory_order_relaxed) + 1; }
  static std::size_t gate_index(const std::string& key) {
    return (std::hash<std::string>{}(key) >> 7) % gate_shard_count;
  }
  const GateShard& gates_of(const std::string& key) const { return gate_shards_[gate_index(key)]; }
  GateShard& gates_of(const std::string& key) { return gate_shards_[gate_index(key)]; }
  static std::size_t site_index(const Origin& origin) { return (store::OriginHash{}(origin) >> 7) % site_shard_count; }
  const SiteShard& sites_of(const Origin& origin) const { return site_shards_[site_index(origin)]; }
  SiteShard& sites_of(const Origin& origin) { return site_shards_[site_index(origin)]; }

  std::function<Timestamp()> clock_;  // empty: the machine's clock
  // now() - since_boot(): when the machine started.
  const Timestamp start_ = clock_ ? Timestamp() : store::wall_time() - store::time_since_boot();
  std::size_t limit_bytes_;
  std::atomic<std::uint64_t> fence_{0};
  std::atomic<std::uint64_t> changes_{0};
  store::BodyPool bodies_;
  mutable std::shared_mutex agent_mutex_;
  std::string agent_;
  mutable std::shared_mutex policy_mutex_;
  std::optional<RobotsPolicy> policy_;
  std::array<SiteShard, site_shard_count> site_shards_;
  std::array<GateShard, gate_shard_count> gate_shards_;
};

}  // namespace

std::shared_ptr<Store> make_memory_store(MemoryStoreOptions options) {
  return std::make_shared<MemoryStore>(std::move(options));
}

}  // namespace robotrules
