#include "store/rules_cache.hpp"

#include <mutex>
#include <utility>

namespace robotrules::store {

std::optional<Rules> RulesCache::find(const Origin& origin, const std::shared_ptr<const RobotsRecord>& record) {
  {
    const std::shared_lock lock(mutex_);
    const auto found = young_.find(origin);
    if (found != young_.end() && found->second.record == record) return found->second.rules;
    if (old_.find(origin) == old_.end()) return std::nullopt;
  }
  const std::unique_lock lock(mutex_);
  const auto found = old_.find(origin);
  if (found == old_.end() || found->second.record != record) return std::nullopt;
  Entry entry = found->second;
  old_.erase(found);
  const Rules rules = entry.rules;
  keep(origin, std::move(entry));
  return rules;
}

void RulesCache::put(const Origin& origin, const std::shared_ptr<const RobotsRecord>& record, const Rules& rules) {
  const std::unique_lock lock(mutex_);
  keep(origin, {record, rules});
}

void RulesCache::keep(const Origin& origin, Entry entry) {
  constexpr std::size_t around = 256;  // of an entry besides its rules and body
  const std::size_t bytes = entry.rules.memory_bytes() + entry.record->body->size() + around;
  if (young_bytes_ + bytes > half_ && !young_.empty()) {
    old_ = std::exchange(young_, {});
    young_bytes_ = 0;
  }
  young_bytes_ += bytes;
  young_.insert_or_assign(origin, std::move(entry));
}

void RulesCache::clear() {
  const std::unique_lock lock(mutex_);
  young_.clear();
  old_.clear();
  young_bytes_ = 0;
}

}  // namespace robotrules::store
