// The table gate: one row for each key.
#pragma once

#include <cstdint>
#include <string_view>

#include <robotrules/store.hpp>

#include "store/gate_columns.hpp"
#include "store/gate_rows.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/owners.hpp"

namespace robotrules::store {

// Works inside the transaction of the caller. Thread rule: one thread at a time.
class Gates final : public GateTable {
 public:
  Gates(Database& database, Owners& owners) noexcept : database_(database), owners_(owners) {}

  Result<void> read_row(std::string_view key, GateRow& into, std::uint64_t& fence) override;
  bool has_ended(const Process& owner, Timestamp now) override { return owners_.has_ended(owner, now); }
  Process owner() const override { return owners_.self(); }
  Result<void> write(std::string_view key, const GateRow& row, std::uint64_t fence);
  Result<void> forget_visits();
  Result<std::uint64_t> prune(Timestamp before, Timestamp now);

 private:
  Database& database_;
  Owners& owners_;
};

}  // namespace robotrules::store
