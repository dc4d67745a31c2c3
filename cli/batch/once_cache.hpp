// A cache that makes each value once, whoever asks first, and holds no more bytes than it may.
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

// `Value` tells its size by `std::size_t bytes() const`. Thread rule: any number of threads may call get(); those who
// ask for a value that is being made wait for it. What was asked for least lately goes first; a value that is handed
// out lives on as long as somebody holds it.
template <class Value>
class OnceCache {
 public:
  explicit OnceCache(std::size_t budget) noexcept : budget_(budget / shard_count) {}

  // The value of `key`; `make()` is called where there is none. `hash` is std::hash of the key. What make() throws
  // goes to the caller, and the next one tries again.
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
    // Not a std::once_flag: with GCC's library one whose function threw may never be taken again.
    std::mutex making;
    bool made = false;
    Value value;  // changes no more once it is made
  };
  struct Entry {
    std::string key;
    std::shared_ptr<Slot> slot;
    std::size_t bytes;
  };
  struct Shard {
    std::mutex mutex;
    std::list<Entry> entries;                                                         // the latest first
    std::unordered_map<std::string_view, typename std::list<Entry>::iterator> index;  // keys look into `entries`
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
