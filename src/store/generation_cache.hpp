// A cache of limited size, in two generations.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

namespace robotrules::store {

// When the young generation is full, it becomes the old one, and the previous old one is dropped. An entry of the old
// generation that is found moves to the young one. So the cache holds at most about `limit_bytes`, and it keeps the
// entries that were used last. Thread rule: any thread may call any function.
template <class Key, class Value, class Hash = std::hash<Key>>
class GenerationCache {
 public:
  explicit GenerationCache(std::size_t limit_bytes) : half_(limit_bytes / 2) {}

  std::optional<Value> find(const Key& key) {
    {
      const std::shared_lock lock(mutex_);
      const auto found = young_.find(key);
      if (found != young_.end()) return found->second.value;
      if (old_.find(key) == old_.end()) return std::nullopt;
    }
    const std::unique_lock lock(mutex_);
    const auto found = old_.find(key);
    if (found == old_.end()) return std::nullopt;
    Entry entry = std::move(found->second);
    old_.erase(found);
    std::optional<Value> value = entry.value;
    keep(key, std::move(entry));
    return value;
  }

  void put(const Key& key, Value value, std::size_t bytes) {
    const std::unique_lock lock(mutex_);
    keep(key, {std::move(value), bytes});
  }

  void clear() {
    const std::unique_lock lock(mutex_);
    young_.clear();
    old_.clear();
    young_bytes_ = 0;
  }

  // Returns how often an old generation was dropped.
  std::uint64_t generations_dropped() const noexcept { return dropped_.load(std::memory_order_acquire); }

 private:
  struct Entry {
    Value value;
    std::size_t bytes;
  };

  void keep(const Key& key, Entry entry) {
    constexpr std::size_t overhead = 128;  // bytes of an entry besides its given size
    const std::size_t bytes = entry.bytes + overhead;
    if (young_bytes_ + bytes > half_ && !young_.empty()) {
      old_ = std::exchange(young_, {});
      young_bytes_ = 0;
      dropped_.fetch_add(1, std::memory_order_release);
    }
    young_bytes_ += bytes;
    young_.insert_or_assign(key, std::move(entry));
  }

  std::shared_mutex mutex_;
  std::unordered_map<Key, Entry, Hash> young_;
  std::unordered_map<Key, Entry, Hash> old_;
  std::size_t young_bytes_ = 0;
  std::size_t half_;
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace robotrules::store
