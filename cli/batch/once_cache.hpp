// A cache that makes each value once and limits its size in bytes.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace robotrules::cli {

// `Value` has a member `std::size_t bytes() const`. Thread rule: any number of threads may call get(); threads that
// request a value while it is being made wait for it. The least recently used value is dropped first; a returned value
// lives as long as its pointer.
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
      account(shard, key, slot, sizeof(Entry) + 2 * key.size() + slot->value.bytes());
    }
    return {slot, &slot->value};
  }

 private:
  static constexpr std::size_t shard_count = 16;

  struct Slot {
    // Not a std::once_flag: with GCC's library, a flag can block forever after its function threw.
    std::mutex making;
    bool made = false;
    Value value;  // constant after it is made
  };
  struct Entry {
    std::string key;
    std::shared_ptr<Slot> slot;
    std::size_t bytes;
  };
  struct Shard {
    std::mutex mutex;
    std::list<Entry> entries;                                                         // most recently used first
    std::unordered_map<std::string_view, typename std::list<Entry>::iterator> index;  // keys refer to `entries`
    std::size_t bytes = 0;
  };

  std::shared_ptr<Slot> find_or_add(Shard& shard, std::string_view key) {
    const std::lock_guard lock(shard.mutex);
    if (const auto found = shard.index.find(key); found != shard.index.end()) {
      shard.entries.splice(shard.entries.begin(), shard.entries, found->second);
      return found->second->slot;
    }
    shard.entries.push_front({std::string(key), std::make_shared<Slot>(), 0});
    shard.index.emplace(shard.entries.front().key, shard.entries.begin());
    return shard.entries.front().slot;
  }

  void account(Shard& shard, std::string_view key, const std::shared_ptr<Slot>& slot, std::size_t bytes) {
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.index.find(key);
    if (found == shard.index.end() || found->second->slot != slot) return;  // evicted while it was made
    found->second->bytes = bytes;
    shard.bytes += bytes;
    while (shard.bytes > budget_ && !shard.entries.empty()) {
      shard.bytes -= shard.entries.back().bytes;
      shard.index.erase(shard.entries.back().key);
      shard.entries.pop_back();
    }
  }

  std::size_t budget_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace robotrules::cli
