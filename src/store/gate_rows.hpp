// The gate rows of one transaction: each row is read once and written once, even if several calls use it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <robotrules/store.hpp>

#include "base/visibility.hpp"
#include "store/gate_row.hpp"

namespace robotrules::store {

// The gate keys that a transaction may read, and what it knows about owners of holds.
class GateTable {
 public:
  virtual ~GateTable() = default;
  // Reads the row of a key. If there is no row, changes nothing. If the row's fence is greater than `fence`, sets
  // `fence`.
  virtual Result<void> read_row(std::string_view key, GateRow& into, std::uint64_t& fence) = 0;
  // Returns false if it is unknown.
  virtual bool has_ended(const Process& owner, Timestamp now) = 0;
  // The owner of new holds.
  virtual Process owner() const = 0;
};

// Precondition: the caller has begun a transaction. All calls have the same time `now`. The keys of tokens and requests
// must outlive this object. Functions fail only with errors of the table; then the caller must not commit.
class ROBOTRULES_INTERNAL_API GateRows {
 public:
  GateRows(GateTable& table, Timestamp now, std::optional<Timestamp> just_visited)
      : table_(table), now_(now), just_visited_(just_visited) {}

  // Ends the holds that `owner` has with this token. There need not be any.
  Result<void> withdraw(const Token& token, const Process& owner);
  // Makes all calls, one after the other, and adds their answers. `refuse`: returns the error of calls that may not use
  // these keys; empty: all may.
  using Refuse = std::function<std::optional<Error>(const std::vector<std::string>& keys)>;
  Result<void> call(const GateCalls& calls, GateAnswers& answers, const Refuse& refuse = {});

  // Calls `write` for each row that has changed.
  using Write = std::function<Result<void>(std::string_view key, const GateRow& row, std::uint64_t fence)>;
  Result<void> write(const Write& write) const;

 private:
  struct Entry {
    GateRow row;
    std::uint64_t fence = 0;
    bool changed = false;
  };
  Result<Entry*> find(std::string_view key);
  std::optional<Obstacle> obstacle_in(GateRow& row, const ReserveRequest& request);
  // Precondition: find_fault(request) returns null.
  Result<ReserveAnswer> reserve(const ReserveRequest& request);
  // Returns false if the token holds nothing. Even then it may change a row, because a penalty is kept.
  Result<bool> end(const GateCalls::Finish& finish);

  GateTable& table_;
  Timestamp now_;
  std::optional<Timestamp> just_visited_;
  std::unordered_map<std::string_view, Entry> entries_;
};

}  // namespace robotrules::store
