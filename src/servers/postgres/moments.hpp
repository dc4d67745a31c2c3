// What a transaction must know before it decides: the time, and whether the server and this process are the same as
// before.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "servers/postgres/owner.hpp"
#include "servers/postgres/transaction.hpp"

namespace robotrules::store::postgres {

struct Moment {
  Timestamp now;         // of the store's clock
  Timestamp server_now;  // differs if a test has set the clock
  std::optional<Timestamp> just_visited;
  std::int64_t owner = 0;  // this process
  // By how much this process's clock, which never runs backwards, is ahead of the server's: as long as the answer took,
  // or more if the server's clock was set back. Zero if a test has set the clock.
  std::chrono::microseconds ahead{0};
};

// Three things may have happened since the last transaction:
//   - The server is another one, or it was started again: perhaps from a backup, or a standby server was promoted that
//     had not received the last changes. Then every key counts as just visited.
//   - The server's clock has jumped forward, so intervals, penalties and holds have ended early. Then every key counts
//     as just visited.
//   - This process could not report in time, so other processes may have ended its holds. Then it takes a new row of
//     the table owner.
// Any thread.
class Moments {
 public:
  Moments(std::shared_ptr<Pool> pool, Owner& owner) : pool_(std::move(pool)), owner_(owner) {}

  // Calls `body(transaction)` as Pool::transact() does. If read() has failed with `stale_code` in it, sets right what
  // has happened and calls it again.
  template <class Body>
  auto transact(Body body) -> decltype(body(std::declval<Transaction&>()));

  // The statement that asks. Send it after the one that locks rows: its time must be later than the lock.
  Statement ask() const;
  Result<Moment> read(const Rows& rows) const;

  // Returns those of the owners that have ended.
  Result<std::vector<std::int64_t>> ended(Transaction& transaction, std::vector<std::int64_t> owners,
                                          const Moment& moment);

  Result<std::optional<Timestamp>> just_visited();

 private:
  static constexpr std::string_view stale_code = "store-stale";
  static constexpr int max_repairs = 3;

  bool is_unmended_jump(Timestamp server_now, Timestamp now, std::optional<Timestamp> just_visited) const;
  Result<void> repair();

  const std::shared_ptr<Pool> pool_;
  Owner& owner_;
  std::mutex mutex_;
  std::map<std::int64_t, Timestamp> alive_until_;  // other owners, by the server's clock
};

template <class Body>
auto Moments::transact(Body body) -> decltype(body(std::declval<Transaction&>())) {
  for (int repairs = 0;; ++repairs) {
    auto done = pool_->transact(body);
    if (done || done.error().code != stale_code) return done;
    if (repairs == max_repairs) return unreachable(pool_->shown(), "it is another server each time");
    if (auto repaired = repair(); !repaired) return repaired.error();
  }
}

}  // namespace robotrules::store::postgres
