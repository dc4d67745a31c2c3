// A worker of a job: its row in the table queue_worker, which a thread of its own renews.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <robotrules/open_store.hpp>

#include "servers/postgres/queue/claimed_sites.hpp"
#include "servers/postgres/transaction.hpp"
#include "servers/repeater.hpp"

namespace robotrules::store::postgres {

// The lease of a worker has ended if it did not renew it in time. When another worker sees that, it deletes the row of
// the worker and frees its sites. Until then, the worker may renew it, for example after the server was away. The time
// in which the server was not there does not count: a lease never ends earlier than its length after the server's
// start. A process of the same machine that has ended counts as dead at once.

// Frees the sites of workers whose rows an earlier statement of the transaction has deleted.
Statement free_sites(std::int64_t job, std::span<const std::int64_t> fences);
// Returns the first column of the rows.
std::vector<std::int64_t> fences_in(const Rows& rows);

// Returns a row if the worker is valid. Its row then cannot be deleted before the end of the transaction.
Statement find_worker(std::int64_t job, std::int64_t fence);

// Frees the sites of workers of the job whose processes ran on this machine and have ended.
Result<void> bury_ended(Pool& pool, std::int64_t job);

// Thread rule: any thread may call any function, except the destructor.
class Worker {
 public:
  // Makes a worker. Fails with "unknown-job".
  static Result<std::unique_ptr<Worker>> begin(std::shared_ptr<Pool> pool, std::chrono::seconds lease, std::int64_t job,
                                               const std::string& server);
  // Ends it: its sites are free. If the server does not answer within a second, they are free after the lease.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  std::int64_t fence() const noexcept { return fence_; }
  // The row of the worker was deleted. This is final.
  bool is_lost() const noexcept { return is_lost_; }
  void lose() noexcept { is_lost_ = true; }
  ClaimedSites& sites() noexcept { return sites_; }
  // Call it when the worker tells whether it is idle. That it is idle is forgotten if it does not tell it again.
  void note_share() noexcept { shared_at_ = Clock::now().time_since_epoch().count(); }
  void count_settled(std::size_t urls) noexcept { settled_ += static_cast<std::int64_t>(urls); }

 private:
  using Clock = std::chrono::steady_clock;
  Worker(std::shared_ptr<Pool> pool, std::chrono::seconds lease, std::int64_t job, std::int64_t fence);
  Result<void> renew();
  void free_unknown();

  const std::shared_ptr<Pool> pool_;
  const std::chrono::seconds lease_;
  const std::int64_t job_;
  const std::int64_t fence_;
  ClaimedSites sites_;
  std::atomic<bool> is_lost_{false};
  std::atomic<bool> is_reachable_{true};
  std::atomic<std::int64_t> settled_{0};
  std::atomic<Clock::rep> shared_at_{0};
  // Used by the thread: when and with how many URLs the rate was computed last, and that rate.
  Clock::time_point rate_at_;
  std::int64_t rate_settled_ = 0;
  std::int64_t rate_ = 0;
  Repeater renewals_;
};

}  // namespace robotrules::store::postgres
