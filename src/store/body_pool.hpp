// A pool of bodies in memory: origins with equal bodies share one object.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace robotrules::store {

// Thread rule: every function may be called from any thread.
class BodyPool {
 public:
  // Returns an object with the same bytes that is still in use, or `body` if there is none.
  std::shared_ptr<const std::string> shared(std::shared_ptr<const std::string> body) {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= sweep_at_) sweep();
    const std::size_t hash = std::hash<std::string>{}(*body);
    const auto [first, last] = known_.equal_range(hash);
    for (auto at = first; at != last; ++at) {
      auto held = at->second.lock();
      if (held != nullptr && *held == *body) return held;
    }
    known_.emplace(hash, body);
    return body;
  }

 private:
  void sweep() {
    std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
    sweep_at_ = 2 * known_.size() + 1024;
  }

  std::mutex mutex_;
  std::unordered_multimap<std::size_t, std::weak_ptr<const std::string>> known_;
  std::size_t sweep_at_ = 1024;
};

}  // namespace robotrules::store
