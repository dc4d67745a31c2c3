// Compiled rules, so that a site's robots.txt is compiled once and not for every question.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

#include <robotrules/origin.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

#include "store/origin_hash.hpp"

namespace robotrules::store {

// What was compiled is known by the record it came from: a record is never changed, only replaced. Two generations:
// when the young one is full the old one goes, and what is asked for again moves to the young one. So it holds at most
// about `limit_bytes` and at least what was asked for last.
// Thread rule: every function may be called from any thread.
class RulesCache {
 public:
  explicit RulesCache(std::size_t limit_bytes) : half_(limit_bytes / 2) {}

  std::optional<Rules> find(const Origin& origin, const std::shared_ptr<const RobotsRecord>& record);
  void put(const Origin& origin, const std::shared_ptr<const RobotsRecord>& record, const Rules& rules);
  void clear();

 private:
  struct Entry {
    std::shared_ptr<const RobotsRecord> record;  // held, so that its address stays its own
    Rules rules;
  };
  using Generation = std::unordered_map<Origin, Entry, OriginHash>;

  void keep(const Origin& origin, Entry entry);

  std::shared_mutex mutex_;
  Generation young_;
  Generation old_;
  std::size_t young_bytes_ = 0;
  std::size_t half_;
};

}  // namespace robotrules::store
