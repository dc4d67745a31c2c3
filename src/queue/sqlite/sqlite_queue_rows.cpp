#include "queue/sqlite/sqlite_queue_rows.hpp"

#include <cstring>

#include "queue/url_index.hpp"
#include "store/gate_row.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

bool read_count(const Statement& row, int column, std::uint64_t& into) {
  into = static_cast<std::uint64_t>(row.integer(column));
  return row.within(column, 0, max_count);
}

Result<SipKey> queue_key(Database& database) {
  SipKey key{};
  bool sound = false;
  auto read = run(database, "SELECT value FROM meta WHERE name = 'queue_salt'", {}, [&](const Statement& row) {
    const std::string_view salt = row.bytes(only_column);
    sound = row.is(only_column, ValueKind::bytes) && salt.size() == sizeof key;
    if (sound) std::memcpy(key.data(), salt.data(), sizeof key);
  });
  if (!read) return read.error();
  if (!sound) return database.damaged(bad_key);
  return key;
}

std::uint64_t url_hash(const SipKey& key, std::int64_t job, std::string_view method, std::string_view url) {
  thread_local std::string text;
  text.assign(method).append(" ").append(url);
  if (job != first_job_id) text.append(" ").append(std::to_string(job));
  return sip_hash(key, text);
}

std::optional<HashRow> read_hashes(const Statement& row, std::int64_t next) {
  using Column = QueueHashColumn;
  if (!row.is(Column::first, ValueKind::number) || row.integer(Column::first) != next) return std::nullopt;
  const std::int64_t left = UrlIndex::max_number - next + 1;
  if (row.within(Column::hashes, 1, left)) return HashRow{row.integer(Column::hashes), {}};
  const std::string_view hashes = row.bytes(Column::hashes);
  const auto urls = static_cast<std::int64_t>(hashes.size() / 8);
  if (!row.is(Column::hashes, ValueKind::bytes) || hashes.size() % 8 != 0 || urls < 1 || urls > left)
    return std::nullopt;
  return HashRow{urls, hashes};
}

}  // namespace robotrules::store
