// The table gate: one row for each key.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/store.hpp>

#include "servers/postgres/moments.hpp"
#include "store/gate_columns.hpp"
#include "store/gate_rows.hpp"
#include "store/kept_store.hpp"

namespace robotrules::store::postgres {

// Locks the rows of a batch, lets the functions of gate_row.hpp decide, and writes the rows back: two round trips.
//
// The rows are locked in the order of their keys, so that batches do not wait for each other in a circle. A key without
// a row gets one first, because a row that does not exist cannot be locked. The time is read after the locks were
// granted; otherwise a batch that has waited for a lock would decide with a time before the other's dispatch.
// Any thread.
class Gates {
 public:
  Gates(std::shared_ptr<Pool> pool, Moments& moments) : pool_(std::move(pool)), moments_(moments) {}

  // Makes the calls in one transaction. If another process holds rows for long, their calls fail with
  // "store-unreachable", and so do grants that took more than two seconds: another process may have sent its request
  // meanwhile.
  Result<GateAnswers> call(const GateCalls& calls);
  // Withdraws grants whose transactions were perhaps committed before the connection was lost. Their callers were told
  // that the store cannot be reached, so they have sent no request. call() does the same.
  Result<void> withdraw_lost_grants();
  // Makes the change. `also`: work in the same transaction; true: it has changed something. Returns whether anything
  // was changed.
  using Also = std::function<Result<bool>(Transaction& transaction)>;
  Result<bool> change(const std::string& key, const GateChange& change, const Also& also = {});

  Result<GateState> state(std::string_view key) const;
  Result<std::uint64_t> prune(Timestamp before);

 private:
  class Locked;
  class NewGrants;
  // The grants of one transaction.
  struct LostGrants {
    Process owner;  // of their holds; no other transaction has the same
    std::vector<Token> tokens;
  };
  // the_free: rows that exist and that no other transaction has locked.
  enum class Wanted { all, the_free };
  // The keys must outlive the result.
  Result<Locked> lock(Transaction& transaction, std::vector<std::string_view> keys, Wanted wanted = Wanted::all);
  Result<GateAnswers> call(const GateCalls& calls, Wanted wanted, bool& is_locked);
  // Commits if something has changed.
  Result<void> write(Transaction& transaction, const Locked& locked, const GateRows& rows);
  static Result<void> withdraw(const std::vector<LostGrants>& lost, const Locked& locked, GateRows& rows);
  std::vector<LostGrants> lost_grants();
  void forget_lost_grants(const std::vector<LostGrants>& withdrawn);
  Error in_use(std::string_view key) const;
  void add_lost_grants(std::list<LostGrants> lost) noexcept;

  const std::shared_ptr<Pool> pool_;
  Moments& moments_;
  std::atomic<std::int64_t> transactions_{0};
  std::mutex mutex_;
  std::list<LostGrants> lost_grants_;
};

}  // namespace robotrules::store::postgres
