// The tables robots and body: what is kept of each origin, and who fetches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/store.hpp>

#include "store/generation_cache.hpp"
#include "store/sqlite/database.hpp"

namespace robotrules::store {

// Works inside the transaction of who calls. `key` is the text of the origin. Thread rule: one thread at a time.
class Records {
 public:
  explicit Records(Database& database) noexcept : database_(database) {}

  Result<std::shared_ptr<const RobotsRecord>> find(const std::string& key, const Origin& origin) const;
  // Up to `page` names behind `after`, in ascending order.
  Result<std::vector<std::string>> names(const std::string& after) const;
  static constexpr std::size_t page = 256;

  Result<void> put(const std::string& key, const Origin& origin, const RobotsRecord& robots);
  Result<void> set_fresh_until(const std::string& key, Timestamp time);
  Result<void> erase(const std::string& key);
  Result<void> clear();
  Result<std::uint64_t> prune(Timestamp before, Timestamp now);

  Result<LeaseAnswer> lease(const Origin& origin, std::chrono::microseconds length, Timestamp now);
  Result<void> end_lease(const RobotsLease& lease, Timestamp now);

 private:
  Result<std::optional<std::int64_t>> keep_body(const RobotsRecord& robots);

  Database& database_;
  // Bodies by their number in the file, which is never given to another.
  mutable GenerationCache<std::int64_t, std::shared_ptr<const std::string>> bodies_{std::size_t{64} << 20};
};

}  // namespace robotrules::store
