// A map that drops the entries that were not used for the longest time.
//
//   base::EvictingMap<std::string, Page> pages;
//   *pages.make(name).first = page;
//   pages.set_weight(name, page.size(), max_bytes);  // drops other pages while all together have more than max_bytes
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>

namespace robotrules::base {

// The entries form a ring in the order in which they were added. If they are too large, a hand goes around the ring and
// drops entries; an entry that was used since the last round stays for another one. A use only sets a flag, so many
// threads can look up at once, and a lookup does not change the order of a list. Keys of other types can be looked up
// if `Hash` is transparent. Thread rule: find() by many threads at once, or any other function by one thread alone.
template <class Key, class Value, class Hash = std::hash<Key>>
class EvictingMap {
 public:
  EvictingMap() = default;
  EvictingMap(const EvictingMap&) = delete;
  EvictingMap& operator=(const EvictingMap&) = delete;

  struct Entry {
    Value value{};
    std::size_t bytes = 0;
    mutable std::atomic<bool> used{false};

   private:
    friend class EvictingMap;
    const Key* key_ = nullptr;
    Entry* before_ = nullptr;
    Entry* after_ = nullptr;
  };

  template <class Name>
  Value* find(const Name& key) {
    const auto found = map_.find(key);
    if (found == map_.end()) return nullptr;
    found->second.used.store(true, std::memory_order_relaxed);
    return &found->second.value;
  }
  template <class Name>
  const Value* find(const Name& key) const {
    return const_cast<EvictingMap*>(this)->find(key);
  }
  // Finds an entry without counting as a use.
  template <class Name>
  Value* peek(const Name& key) {
    const auto found = map_.find(key);
    return found == map_.end() ? nullptr : &found->second.value;
  }

  // Returns the value of `key`, and whether its entry was added now.
  std::pair<Value*, bool> make(const Key& key) {
    const auto [at, is_new] = map_.try_emplace(key);
    Entry& entry = at->second;
    if (is_new) {
      entry.key_ = &at->first;
      put_last(entry);
    } else {
      entry.used.store(true, std::memory_order_relaxed);
    }
    return {&entry.value, is_new};
  }

  // Sets the size of an entry. If all together are larger than `limit`, drops others, except those for which
  // `keep(value)` returns true; an entry for which it returns false is dropped at once. Returns the size of the dropped
  // ones. The hand passes only as many entries as the growth is worth, so no call is slow, and the excess stays below a
  // tenth of `limit`.
  template <class Name, class Keep>
  std::size_t set_weight(const Name& key, std::size_t bytes, std::size_t limit, Keep keep) {
    const auto found = map_.find(key);
    if (found == map_.end()) return 0;
    Entry& weighed = found->second;
    std::size_t passes_left = min_passes + (bytes > weighed.bytes ? bytes - weighed.bytes : 0) / bytes_per_pass;
    passes_left = std::min(passes_left, 2 * map_.size());
    bytes_ += bytes - weighed.bytes;
    weighed.bytes = bytes;
    const std::size_t before = bytes_;
    while (bytes_ > limit && passes_left > 0) {
      Entry& oldest = *first_;
      if (oldest.used.exchange(false, std::memory_order_relaxed) || &oldest == &weighed || keep(oldest.value)) {
        --passes_left;
        first_ = oldest.after_;
      } else {
        drop(map_.find(*oldest.key_));
      }
    }
    return before - bytes_;
  }
  template <class Name>
  std::size_t set_weight(const Name& key, std::size_t bytes, std::size_t limit) {
    return set_weight(key, bytes, limit, [](const Value&) { return false; });
  }

  // Moves the hand past an entry. Returns null if the entry was used since the last round, or if there is none.
  Value* pass() {
    if (first_ == nullptr) return nullptr;
    Entry& oldest = *std::exchange(first_, first_->after_);
    return oldest.used.exchange(false, std::memory_order_relaxed) ? nullptr : &oldest.value;
  }

  template <class Name>
  void erase(const Name& key) {
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
  using Map = std::unordered_map<Key, Entry, Hash, std::equal_to<>>;
  static constexpr std::size_t min_passes = 64;
  static constexpr std::size_t bytes_per_pass = 16;

  void put_last(Entry& entry) {
    if (first_ == nullptr) {
      first_ = entry.before_ = entry.after_ = &entry;
      return;
    }
    entry.after_ = first_;
    entry.before_ = first_->before_;
    entry.before_->after_ = &entry;
    first_->before_ = &entry;
  }
  void drop(typename Map::iterator at) {
    Entry& entry = at->second;
    bytes_ -= entry.bytes;
    entry.before_->after_ = entry.after_;
    entry.after_->before_ = entry.before_;
    if (first_ == &entry) first_ = entry.after_ == &entry ? nullptr : entry.after_;
    map_.erase(at);
  }

  Map map_;
  Entry* first_ = nullptr;  // in the ring; the hand is here
  std::size_t bytes_ = 0;
};

}  // namespace robotrules::base
