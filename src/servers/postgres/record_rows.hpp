// The rows of the tables robots and body, as parameters and answers of statements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "servers/postgres/postgres_values.hpp"
#include "store/packing.hpp"

namespace robotrules::store::postgres {

// The columns of RobotsColumn in SQL, of the table robots joined with body, and after them the version of the record.
inline constexpr std::string_view robots_columns =
    "origin, robots.body, outcome, status, url, hops, etag, last_modified, fetched_at, fresh_until, failing_since,"
    " failures, lease_fence, lease_until, truncated, lease_owner, coding, octets, size, hash, version";

// The columns of a body.
inline constexpr std::array body_columns{SqlColumn{"hash", ValueKind::bytes}, SqlColumn{"size"}, SqlColumn{"coding"},
                                         SqlColumn{"octets", ValueKind::bytes}};

// There are only a few buckets of bodies (records.sql), because a server has room for few locks.
inline constexpr std::int64_t buckets = 64;
inline std::int64_t bucket_of(std::string_view hash) {
  return hash.empty() ? 0 : static_cast<unsigned char>(hash.front()) % buckets;
}

// The different bodies of some records.
class BodyWriter {
 public:
  void add(const std::string& hash, const std::string& body);
  std::size_t rows() const noexcept { return bodies_.size(); }
  std::size_t bytes() const noexcept { return bytes_; }  // as they are stored
  // Locks the bodies' buckets and adds the bodies. Precondition: at least one body.
  Batch statements() const;

 private:
  std::map<std::string, std::pair<std::size_t, Packed>> bodies_;
  std::size_t bytes_ = 0;
};

}  // namespace robotrules::store::postgres
