#include "servers/postgres/record_rows.hpp"

#include <array>
#include <set>

#include "servers/postgres/sql.hpp"

namespace robotrules::store::postgres {

void BodyWriter::add(const std::string& hash, const std::string& body) {
  const auto [added, is_new] = bodies_.emplace(hash, std::pair(body.size(), pack_body(body)));
  if (is_new) bytes_ += added->second.second.bytes.size();
}

Batch BodyWriter::statements() const {
  std::set<std::int64_t> locked;
  TableWriter rows(body_columns);
  for (const auto& [hash, body] : bodies_) {
    locked.insert(bucket_of(hash));
    rows.add(
        std::array<SqlValue, 4>{hash, static_cast<std::int64_t>(body.first), body.second.coding, body.second.bytes});
  }
  return {{sql("lock_buckets"), Parameters().numbers(std::vector<std::int64_t>(locked.begin(), locked.end()))},
          {sql("put_bodies"), std::move(rows).parameters()}};
}

}  // namespace robotrules::store::postgres
