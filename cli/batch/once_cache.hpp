// A cache that makes each value once and limits its size in bytes.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/evicting_map.hpp"

namespace robotrules::cli {

// `Value` has a member `std::size_t bytes() const`. Thread rule: any number of threads may call get(); threads that
// request a value while it is being made wait for it. The values that were not used for the longest time are dropped
// first; a returned value lives as long as its pointer. The map under each lock is base::EvictingMap; this class makes
// threads wait for a value instead of making it twice.
template <class Value>
class OnceCache {
 public:
  explicit OnceCache(std::size_t budget) noexcept : budget_(budget / shard_count) {}

  // Returns the value of `key`; calls `make()` if there is none. `hash` is std::hash of the key. If make() throws,
  // get() throws the same, and the next call tries again.
  template <class Make>
  std::shared_ptr<const Value> get(std::string_view key, std::size_t hash, Make&& make) {
    Shard& shard = shards_[(hash >> 7) % shard_count];
    const std::shared_ptr<Slot> slot = find_or_add(shard, key);
    const std::lock_guard lock(slot->making);
    if (!slot->made) {
      slot->value = std::forward<Make>(make)();
      slot->made = true;
      account(shard, key, slot, entry_bytes + key.size() + slot->value.bytes());
    }
    return {slot, &slot->value};
  }

 private:
  static constexpr std::size_t shard_count = 16;
  static constexpr std::size_t entry_bytes = 128;  // without the key and the value

  struct Slot {
    // Not a std::once_flag: with GCC's library, a flag can block forever after its function threw.
    std::mutex making;
    bool made = false;
    Value value;  // constant after it is made
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const noexcept { return std::hash<std::string_view>{}(key); }
  };
  struct Shard {
    std::mutex mutex;
    base::EvictingMap<std::string, std::shared_ptr<Slot>, Hash> slots;
  };

  std::shared_ptr<Slot> find_or_add(Shard& shard, std::string_view key) {
    const std::lock_guard lock(shard.mutex);
    if (const auto* known = shard.slots.find(key)) return *known;
    auto slot = std::make_shared<Slot>();
    return *shard.slots.make(std::string(key)).first = std::move(slot);
  }

  void account(Shard& shard, std::string_view key, const std::shared_ptr<Slot>& slot, std::size_t bytes) {
    const std::lock_guard lock(shard.mutex);
    const auto* const known = shard.slots.peek(key);
    if (known == nullptr || *known != slot) return;  // evicted while it was made
    if (bytes > budget_) return shard.slots.erase(key);
    shard.slots.set_weight(key, bytes, budget_);
  }

  std::size_t budget_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace robotrules::cli
