// Keeps what Store::health() returns for a store on a server.
#pragma once

#include <mutex>
#include <string>
#include <utility>

#include <robotrules/store.hpp>

namespace robotrules::store {

// Any thread.
class HealthLog {
 public:
  void answered() {
    const std::lock_guard lock(mutex_);
    health_.is_reachable = true;
    health_.failing_since.reset();
  }
  void failed(Timestamp now, std::string problem) {
    const std::lock_guard lock(mutex_);
    health_.is_reachable = false;
    if (!health_.failing_since) health_.failing_since = now;
    ++health_.failures;
    health_.problem = std::move(problem);
  }
  StoreHealth health() const {
    const std::lock_guard lock(mutex_);
    return health_;
  }

 private:
  mutable std::mutex mutex_;
  StoreHealth health_;
};

}  // namespace robotrules::store
