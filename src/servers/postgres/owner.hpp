// This process as an owner of holds and leases: it reports to the server, so that others see that it lives.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include <robotrules/seams/machine.hpp>

#include "servers/postgres/transaction.hpp"
#include "servers/repeater.hpp"

namespace robotrules::store::postgres {

// A row of the table owner is alive until its time `ends_at`, by the server's clock, even in tests with another clock.
// Each report prolongs it. A row whose time has ended stays ended, so an owner that others have seen as dead takes a
// new row. Any thread.
class Owner {
 public:
  // `lease`: at least a second. `on_report`: called after each report, on the thread of this object.
  Owner(std::shared_ptr<Pool> pool, std::chrono::milliseconds lease, std::function<void()> on_report)
      : pool_(std::move(pool)),
        lease_(std::max<std::chrono::milliseconds>(lease, min_lease)),
        on_report_(std::move(on_report)) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  // Makes the first row and starts the reports.
  Result<void> start();
  // Ends the reports. Waits for one that is under way.
  void stop() { static_cast<void>(reports_.stop()); }
  // A random number, so that it is not given again after a database was restored from a backup.
  std::int64_t id() const noexcept { return id_.load(std::memory_order_relaxed); }
  // Takes a new row if `ended` is still the number of this owner.
  Result<void> renew(std::int64_t ended);

  // The owner in a hold. `number`: differs between the transactions of a process.
  static Process in_hold(std::int64_t id, std::int64_t number) { return {1, id, number}; }
  static std::int64_t id_in(const Process& owner) { return owner.started; }

 private:
  static constexpr std::chrono::seconds min_lease{1};
  Result<void> report();
  Result<void> take_row();

  const std::shared_ptr<Pool> pool_;
  const std::chrono::milliseconds lease_;
  const std::function<void()> on_report_;
  std::atomic<std::int64_t> id_{0};
  std::mutex renewing_;
  Repeater reports_;
};

}  // namespace robotrules::store::postgres
