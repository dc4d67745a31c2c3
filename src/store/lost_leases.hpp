// Leases that this process has lost, so that it does not wait for itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <variant>

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
    const auto of_origin = [&](const RobotsLease& old) { return old.origin == lost.front().origin; };
    if (std::count_if(lost_.begin(), lost_.end(), of_origin) >= max_of_origin) {
      lost_.erase(std::find_if(lost_.begin(), lost_.end(), of_origin));
    }
    if (lost_.size() >= max_kept) lost_.pop_front();
    lost_.splice(lost_.end(), lost);
  }

  // Returns grant(fence), a Result<LeaseAnswer>. `fence`: that of a lost lease of the origin; 0: there is none. If two
  // were lost, the store has one of them: the call that was to replace the first may have done nothing.
  template <class Grant>
  Result<LeaseAnswer> lease(const Origin& origin, const Grant& grant) {
    const std::array<std::uint64_t, max_of_origin> lost = fences_of(origin);
    auto answer = grant(lost[0]);
    if (lost[1] != 0 && answer && std::holds_alternative<Wait>(answer.value())) answer = grant(lost[1]);
    if (!answer) return answer;
    for (const std::uint64_t fence : lost) forget(origin, fence);
    if (const auto* granted = std::get_if<RobotsLease>(&answer.value())) forget(origin, granted->fence);
    return answer;
  }

 private:
  static constexpr std::size_t max_kept = 4'096;  // others expire
  static constexpr std::ptrdiff_t max_of_origin = 2;

  // The newest first; 0: there is no other.
  std::array<std::uint64_t, 2> fences_of(const Origin& origin) const {
    const std::lock_guard lock(mutex_);
    std::array<std::uint64_t, max_of_origin> fences{};
    for (const RobotsLease& lease : lost_) {
      if (lease.origin == origin) fences = {lease.fence, fences[0]};
    }
    return fences;
  }
  void forget(const Origin& origin, std::uint64_t fence) {
    const std::lock_guard lock(mutex_);
    std::erase_if(lost_, [&](const RobotsLease& lease) { return lease.fence == fence && lease.origin == origin; });
  }

  mutable std::mutex mutex_;
  std::list<RobotsLease> lost_;  // the oldest one first; at most max_of_origin of each origin
};

}  // namespace robotrules::store
