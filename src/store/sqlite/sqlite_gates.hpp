// The table gate: one row for each key.
#pragma once

#include <cstdint>
#include <string_view>

#include <robotrules/store.hpp>

#include "store/gate_columns.hpp"
#include "store/sqlite/database.hpp"

namespace robotrules::store {

// Works inside the transaction of the caller. Thread rule: one thread at a time.
class Gates {
 public:
  explicit Gates(Database& database) noexcept : database_(database) {}

  // Reads the row of a key. If there is no row, changes nothing. If the row's fence is greater than `fence`, sets
  // `fence`.
  Result<void> read(std::string_view key, GateRow& into, std::uint64_t& fence) const;
  Result<void> write(std::string_view key, const GateRow& row, std::uint64_t fence);
  Result<void> forget_visits();
  Result<std::uint64_t> prune(Timestamp before, Timestamp now);

 private:
  Database& database_;
};

}  // namespace robotrules::store
