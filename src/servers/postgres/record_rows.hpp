// The rows of the tables robots and body, as parameters and answers of statements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/store.hpp>

#include "servers/postgres/postgres_values.hpp"
#include "store/packing.hpp"

namespace robotrules::store::postgres {

struct RobotsColumn {
  enum : int {
    origin,
    version,
    outcome,
    status,
    url,
    hops,
    etag,
    last_modified,
    fetched_at,
    fresh_until,
    failing_since,
    failures,
    truncated,
    has_body,
    body_coding,
    body_octets,
    body_size,
    body_hash,
  };
};

// In SQL, of the table robots joined with body.
extern const std::string robots_columns;

// Reads a row of robots_columns, but not its body. Returns false if the row is damaged: a value is out of range.
bool read_record(const Rows& rows, int row, const Origin& origin, RobotsRecord& into);

// A body is put under a shared lock of its bucket and deleted under an exclusive one. So no record gets a body that is
// deleted at the same moment. There are only a few buckets because a server has room for few locks.
inline constexpr int lock_space = 1383031412;
inline constexpr std::int64_t buckets = 64;
inline std::int64_t bucket_of(std::string_view hash) {
  return hash.empty() ? 0 : static_cast<unsigned char>(hash.front()) % buckets;
}

// Records as the columns of one statement.
class RecordWriter {
 public:
  // `hash`: of the body; null: there is none.
  void add(const Origin& origin, const RobotsRecord& record, const std::optional<std::string>& hash);
  const std::vector<Bytes>& origins() const noexcept { return origins_; }
  // `newer_only`: a row stays if its record was fetched later.
  Statement statement(bool newer_only) const;

 private:
  std::vector<Bytes> origins_;
  std::vector<Bytes> texts_[5];
  std::vector<Number> numbers_[7];
};

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
