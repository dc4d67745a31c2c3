// Rows of the tables of the queue: reading.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/url_queue.hpp>

#include "queue/queue_columns.hpp"
#include "queue/queue_values.hpp"
#include "store/sip_hash.hpp"
#include "store/sqlite/database.hpp"

namespace robotrules::store {

// Returns false if the number is damaged.
bool read_count(const Statement& row, int column, std::uint64_t& into);

// The job of the queues of files that are older than jobs.
inline constexpr std::int64_t first_job_id = 1;

// Returns the key of url_hash() for this file. Fails with "store-damaged" if it cannot be read.
Result<SipKey> queue_key(Database& database);
std::uint64_t url_hash(const SipKey& key, std::int64_t job, std::string_view method, std::string_view url);
// A row of the table queue_hash: of URLs that were added together, so all are of one job.
struct HashRow {
  std::int64_t urls = 0;
  std::string_view hashes;  // 8 bytes each; empty: those of URLs that were removed
};
// Reads a row of "SELECT first, hashes FROM queue_hash". Returns null if the row does not begin with the hash of the id
// `next`, or is damaged.
std::optional<HashRow> read_hashes(const Statement& row, std::int64_t next);

// Details of the error "store-damaged".
inline constexpr const char* bad_job = " (a job of its queue can't be read)";
inline constexpr const char* bad_site = " (a site of its queue can't be read)";
inline constexpr const char* bad_url = " (a URL of its queue can't be read)";
inline constexpr const char* bad_hash = " (a hash of its queue can't be read)";
inline constexpr const char* bad_count = " (a count of its queue can't be read)";
inline constexpr const char* bad_key = " (the key of its queue can't be read)";
inline constexpr const char* bad_position = " (the position of an output of its queue can't be read)";

}  // namespace robotrules::store
