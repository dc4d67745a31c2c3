// Leases that this process has lost, so that it does not wait for itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <utility>

#include <robotrules/store.hpp>

namespace robotrules::store {

// A call that ends a lease may fail: a full disk, a server that fails over. A call that grants one may fail too, after
// the server has granted it. The lease then stays in the store until it expires, although nothing uses it. Its fence is
// kept here, and the next call for the same origin may replace a lease with that fence. Thread rule: any thread may
// call any function; `grant` runs without the lock.
class LostLeases {
 public:
  // Keeps `lease` (null: there is none) if the call that ends it has failed. Returns `ended`.
  Result<void> note(const RobotsLease* lease, Result<void> ended) {
    if (lease == nullptr) return ended;
    if (ended.ok() || ended.error().code == "unknown-token") {
      forget(lease->origin, lease->fence);
    } else {
      keep({*lease});
    }
    return ended;
  }
  // Keeps a lease of which it is unknown whether it was granted. `lost`: a list of one, made before the lease is asked
  // for, because afterwards nothing may fail.
  void keep(std::list<RobotsLease> lost) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase_if(lost_, [&](const RobotsLease& old) { return old.origin == lost.front().origin; });
    if (lost_.size() >= max_kept) lost_.pop_front();
    lost_.splice(lost_.end(), lost);
  }

  // Returns grant(fence), a Result<LeaseAnswer>. `fence`: that of a lost lease of the origin; 0: there is none.
  template <class Grant>
  Result<LeaseAnswer> lease(const Origin& origin, const Grant& grant) {
    const std::uint64_t lost = fence_of(origin);
    auto answer = grant(lost);
    if (answer && lost != 0) forget(origin, lost);
    return answer;
  }

 private:
  static constexpr std::size_t max_kept = 4'096;  // others expire

  std::uint64_t fence_of(const Origin& origin) const {
    const std::lock_guard lock(mutex_);
    for (const RobotsLease& lease : lost_) {
      if (lease.origin == origin) return lease.fence;
    }
    return 0;
  }
  void forget(const Origin& origin, std::uint64_t fence) {
    const std::lock_guard lock(mutex_);
    std::erase_if(lost_, [&](const RobotsLease& lease) { return lease.fence == fence && lease.origin == origin; });
  }

  mutable std::mutex mutex_;
  std::list<RobotsLease> lost_;  // the oldest one first; at most one of each origin
};

}  // namespace robotrules::store
