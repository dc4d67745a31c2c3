// The gate's rows within one transaction: each is read once and written once, however many calls concern it.
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

// Inside the transaction of who calls, and at one moment. Keys of tokens and requests must outlive it. An error is the
// database's: then nothing may be committed.
class GateRows {
 public:
  GateRows(Gates& gates, Owners& owners, Timestamp now, std::optional<Timestamp> just_visited)
      : gates_(gates), owners_(owners), now_(now), just_visited_(just_visited) {}

  // Precondition: find_fault() finds none in it.
  Result<ReserveAnswer> reserve(const ReserveRequest& request);
  // False where the token holds nothing. It may change a row all the same: what it says of a penalty is kept.
  Result<bool> complete(const Token& token, const Outcome& outcome);
  Result<bool> cancel(const Token& token);

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
