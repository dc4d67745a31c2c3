// A map that drops the entries that were not used for the longest time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace robotrules::store {

// Entries form a ring in the order in which they were added. If they need too much memory, a hand goes round and drops
// entries; an entry that was used since the last round stays for another one. Thread rule: find() by many threads,
// everything else by one alone.
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
    Entry* before = nullptr;
    Entry* behind = nullptr;
  };

  Value* find(const Key& key) {
    const auto found = map_.find(key);
    if (found == map_.end()) return nullptr;
    found->second.used.store(true, std::memory_order_relaxed);
    return &found->second.value;
  }
  const Value* find(const Key& key) const { return const_cast<Evicting*>(this)->find(key); }
  // Without counting as a use.
  Value* peek(const Key& key) {
    const auto found = map_.find(key);
    return found == map_.end() ? nullptr : &found->second.value;
  }

  // The entry, and whether it was made just now.
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

  // What the entry takes now. Where all together take more than `limit`, others go until they do not, but none of which
  // `keep(value)` says that it may not. The hand passes no more entries that stay than are worth what has come, so that
  // no call is slow; what is too much meanwhile is less than a tenth of `limit`.
  template <class Keep>
  void weigh(const Key& key, std::size_t bytes, std::size_t limit, Keep keep) {
    const auto found = map_.find(key);
    if (found == map_.end()) return;
    Entry& weighed = found->second;
    std::size_t may_pass = min_passed + (bytes > weighed.bytes ? bytes - weighed.bytes : 0) / bytes_a_pass;
    may_pass = std::min(may_pass, 2 * map_.size());
    bytes_ += bytes - weighed.bytes;
    weighed.bytes = bytes;
    while (bytes_ > limit && may_pass > 0) {
      Entry& oldest = *first_;
      if (oldest.used.exchange(false, std::memory_order_relaxed) || &oldest == &weighed || keep(oldest.value)) {
        --may_pass;
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
  static constexpr std::size_t min_passed = 64;
  static constexpr std::size_t bytes_a_pass = 16;

  void put_last(Entry& entry) {
    if (first_ == nullptr) {
      first_ = entry.before = entry.behind = &entry;
      return;
    }
    entry.behind = first_;
    entry.before = first_->before;
    entry.before->behind = &entry;
    first_->before = &entry;
  }
  void take_out(Entry& entry) {
    entry.before->behind = entry.behind;
    entry.behind->before = entry.before;
    if (first_ == &entry) first_ = entry.behind == &entry ? nullptr : entry.behind;
  }
  void drop(typename Map::iterator at) {
    bytes_ -= at->second.bytes;
    take_out(at->second);
    map_.erase(at);
  }

  Map map_;
  Entry* first_ = nullptr;  // of the ring: where the hand stands
  std::size_t bytes_ = 0;
};

}  // namespace robotrules::store
