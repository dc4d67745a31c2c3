// The gate rows of one transaction: each row is read once and written once, even if several calls use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <robotrules/store.hpp>

#include "store/gate_row.hpp"
#include "store/sqlite/gates.hpp"
#include "store/sqlite/owners.hpp"

namespace robotrules::store {

// Precondition: the caller has begun a transaction. All calls have the same time `now`. The keys of tokens and requests
// must outlive this object. Functions fail only with errors of the database; then the caller must not commit.
class GateRows {
 public:
  GateRows(Gates& gates, Owners& owners, Timestamp now, std::optional<Timestamp> just_visited)
      : gates_(gates), owners_(owners), now_(now), just_visited_(just_visited) {}

  // Precondition: find_fault(request) returns null.
  Result<ReserveAnswer> reserve(const ReserveRequest& request);
  // Return false if the token holds nothing. Even then, complete() may change a row, because a penalty is kept.
  Result<bool> complete(const Token& token, const Outcome& outcome);
  Result<bool> cancel(const Token& token);

  // Writes all rows that have changed.
  Result<void> write();

 private:
  struct Entry {
    GateRow row;
    std::uint64_t fence = 0;
    bool changed = false;
  };
  Result<Entry*> find(std::string_view key);
  std::optional<Obstacle> obstacle_in(GateRow& row, const ReserveRequest& request);
  template <class Change>
  Result<bool> end(const Token& token, Change change);

  Gates& gates_;
  Owners& owners_;
  Timestamp now_;
  std::optional<Timestamp> just_visited_;
  std::unordered_map<std::string_view, Entry> entries_;
};

}  // namespace robotrules::store
