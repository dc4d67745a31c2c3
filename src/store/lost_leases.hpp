// Leases of this process whose end failed, so that the process does not wait for itself.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <robotrules/store.hpp>

namespace robotrules::store {

// A call that ends a lease may fail: a full disk, a server that fails over. The lease then stays in the store until it
// expires. A store keeps such leases here and ends them before it grants another lease for the same origin. Thread
// rule: any thread may call any function; `grant` and `end` run without the lock.
class LostLeases {
 public:
  // Keeps `lease` (null: there is none) if the call that ends it has failed. Returns `ended`.
  Result<void> note(const RobotsLease* lease, Result<void> ended) {
    if (lease == nullptr) return ended;
    const std::lock_guard lock(mutex_);
    const std::string key = lease->origin.to_string();
    if (ended.ok() || ended.error().code == "unknown-token") {
      const auto found = lost_.find(key);
      if (found != lost_.end() && found->second.fence == lease->fence) lost_.erase(found);
    } else {
      if (lost_.size() >= max_kept) lost_.erase(lost_.begin());
      lost_.insert_or_assign(key, *lease);
    }
    return ended;
  }

  // Returns grant(), a Result<LeaseAnswer>. If that is a wait for a lost lease, ends the lease by end(lease) first.
  template <class Grant, class End>
  Result<LeaseAnswer> lease(const Origin& origin, const Grant& grant, const End& end) {
    auto answer = grant();
    if (!answer || !std::holds_alternative<Wait>(answer.value())) return answer;
    const auto own = find(origin);
    if (!own || !note(&*own, end(*own)).ok()) return answer;
    return grant();
  }

 private:
  static constexpr std::size_t max_kept = 4'096;  // others expire

  std::optional<RobotsLease> find(const Origin& origin) const {
    const std::lock_guard lock(mutex_);
    const auto found = lost_.find(origin.to_string());
    return found == lost_.end() ? std::nullopt : std::optional(found->second);
  }

  mutable std::mutex mutex_;
  std::map<std::string, RobotsLease> lost_;  // by origin
};

}  // namespace robotrules::store
