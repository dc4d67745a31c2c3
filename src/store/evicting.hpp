// A map of limited size that drops the entries that were not used for the longest time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace robotrules::store {

// The entries form a ring in the order in which they were added (the clock algorithm). If they need too much memory, a
// hand goes round the ring and drops entries. An entry that was used since the last round stays for another round.
// Thread rule: several threads may call find() at the same time. Every other function needs exclusive access.
template <class Key, class Value, class Hash>
class Evicting {
 public:
  Evicting() = default;
  Evicting(const Evicting&) = delete;
  Evicting& operator=(const Evicting&) = delete;

  struct Entry {
    Value value;
    std::size_t bytes = 0;
    mutable std::atomic<bool> used{false};

   private:
    friend class Evicting;
    const Key* key = nullptr;
    Entry* previous = nullptr;
    Entry* next = nullptr;
  };

  Value* find(const Key& key) {
    const auto found = map_.find(key);
    if (found == map_.end()) return nullptr;
    found->second.used.store(true, std::memory_order_relaxed);
    return &found->second.value;
  }
  const Value* find(const Key& key) const { return const_cast<Evicting*>(this)->find(key); }
  // Returns the value like find(), but does not count as a use.
  Value* peek(const Key& key) {
    const auto found = map_.find(key);
    return found == map_.end() ? nullptr : &found->second.value;
  }

  // Returns the value, and true if the entry is new.
  std::pair<Value*, bool> make(const Key& key) {
    const auto [at, is_new] = map_.try_emplace(key);
    Entry& entry = at->second;
    if (is_new) {
      entry.key = &at->first;
      put_last(entry);
    } else {
      entry.used.store(true, std::memory_order_relaxed);
    }
    return {&entry.value, is_new};
  }

  // Sets the size of an entry. If all entries together are larger than `limit`, drops other entries until they are not.
  // Entries for which `keep(value)` returns true stay. The number of entries that the hand passes without dropping them
  // is limited by the number of added bytes, so that no call is slow. Meanwhile, the entries exceed `limit` by less
  // than a tenth.
  template <class Keep>
  void set_bytes(const Key& key, std::size_t bytes, std::size_t limit, Keep keep) {
    const auto found = map_.find(key);
    if (found == map_.end()) return;
    Entry& entry = found->second;
    std::size_t passes_left = min_passes + (bytes > entry.bytes ? bytes - entry.bytes : 0) / bytes_per_pass;
    passes_left = std::min(passes_left, 2 * map_.size());
    bytes_ += bytes - entry.bytes;
    entry.bytes = bytes;
    while (bytes_ > limit && passes_left > 0) {
      Entry& oldest = *first_;
      if (oldest.used.exchange(false, std::memory_order_relaxed) || &oldest == &entry || keep(oldest.value)) {
        --passes_left;
        take_out(oldest);
        put_last(oldest);
      } else {
        drop(map_.find(*oldest.key));
      }
    }
  }

  void erase(const Key& key) {
    const auto found = map_.find(key);
    if (found != map_.end()) drop(found);
  }
  void clear() {
    map_.clear();
    first_ = nullptr;
    bytes_ = 0;
  }

  const auto& map() const { return map_; }
  auto& map() { return map_; }
  std::size_t bytes() const { return bytes_; }

 private:
  using Map = std::unordered_map<Key, Entry, Hash>;
  static constexpr std::size_t min_passes = 64;
  static constexpr std::size_t bytes_per_pass = 16;

  void put_last(Entry& entry) {
    if (first_ == nullptr) {
      first_ = entry.previous = entry.next = &entry;
      return;
    }
    entry.next = first_;
    entry.previous = first_->previous;
    entry.previous->next = &entry;
    first_->previous = &entry;
  }
  void take_out(Entry& entry) {
    entry.previous->next = entry.next;
    entry.next->previous = entry.previous;
    if (first_ == &entry) first_ = entry.next == &entry ? nullptr : entry.next;
  }
  void drop(typename Map::iterator at) {
    bytes_ -= at->second.bytes;
    take_out(at->second);
    map_.erase(at);
  }

  Map map_;
  Entry* first_ = nullptr;  // the entry at the hand; null: the ring is empty
  std::size_t bytes_ = 0;
};

}  // namespace robotrules::store
