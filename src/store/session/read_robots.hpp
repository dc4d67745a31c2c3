// How every session reads a record from a store.
#pragma once

#include <cstdint>
#include <optional>

#include <robotrules/seams/store_session.hpp>

namespace robotrules::store {

inline Result<ReadRobots> read_robots(const Store& store, const Origin& origin, std::optional<std::uint64_t> known) {
  const auto changes = store.changes();
  if (!changes) return changes.error();
  if (known == changes.value()) return ReadRobots{changes.value(), true, nullptr};
  auto record = store.robots(origin);
  if (!record) return record.error();
  return ReadRobots{changes.value(), false, std::move(record).value()};
}

}  // namespace robotrules::store
