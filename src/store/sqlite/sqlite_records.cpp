#include "store/sqlite/sqlite_records.hpp"

#include "base/escape.hpp"
#include "store/gate_row.hpp"
#include "store/packing.hpp"
#include "store/request_check.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {
namespace {

constexpr std::size_t max_body_bytes = std::size_t{64} << 20;  // of the bodies in memory
constexpr std::size_t entry_bytes = 128;                       // of each of them, without its text

}  // namespace

bool read_lease(const Statement& row, OwnedLease& into) {
  using Column = RobotsColumn;
  const auto owner = unpack_owner(row.bytes(Column::lease_owner));
  if (!row.is(Column::lease_fence, ValueKind::number) || !row.is(Column::lease_until, ValueKind::number) ||
      !row.is_or_null(Column::lease_owner, ValueKind::bytes) || !owner) {
    return false;
  }
  into = {{row.integer(Column::lease_fence), time_of(row.integer(Column::lease_until))}, *owner};
  return is_sound(into);
}

Result<std::shared_ptr<const RobotsRecord>> Records::find(const std::string& key, const Origin& origin) const {
  std::shared_ptr<RobotsRecord> found;
  bool sound = true;
  auto read = run(database_,
                  "SELECT robots.*, coding, octets, size, hash FROM robots LEFT JOIN body ON body.id = robots.body"
                  " WHERE origin = ?1 AND outcome IS NOT NULL",
                  {key}, [&](const Statement& row) {
                    found = std::make_shared<RobotsRecord>();
                    sound = read_record(row, origin, *found);
                    if (!sound || row.is_null(RobotsColumn::body)) return;
                    const std::int64_t id = row.integer(RobotsColumn::body);
                    if (const auto* known = bodies_.find(id)) {
                      found->body = *known;
                      return;
                    }
                    auto body = read_body(row);
                    sound = body.has_value();
                    if (!sound) return;
                    found->body = std::make_shared<const std::string>(*std::move(body));
                    *bodies_.make(id).first = found->body;
                    bodies_.set_weight(id, found->body->size() + entry_bytes, max_body_bytes);
                  });
  if (!read) return read.error();
  if (!sound) return database_.damaged(" (the record of " + base::excerpt(key) + " can't be read)");
  return std::shared_ptr<const RobotsRecord>(std::move(found));
}

Result<std::vector<std::string>> Records::names(const std::string& after) const {
  std::vector<std::string> names;
  const auto listed = run_checked(
      database_, "SELECT origin FROM robots WHERE origin > ?1 AND outcome IS NOT NULL ORDER BY origin LIMIT ?2",
      {after, std::int64_t{page}}, " (its origins are out of order)", [&](const Statement& row) {
        // SQLite sorts blobs after all text, so a blob would be listed again and again.
        const std::string_view name = row.bytes(only_column);
        const bool is_next = row.is(only_column, ValueKind::text) && name > (names.empty() ? after : names.back());
        names.emplace_back(name);
        return is_next;
      });
  return listed ? Result<std::vector<std::string>>(std::move(names)) : listed.error();
}

Result<std::optional<std::int64_t>> Records::keep_body(const RobotsRecord& robots) {
  if (robots.body == nullptr) return std::optional<std::int64_t>();
  const std::string hash = content_hash(*robots.body);
  auto id = find_number(database_, "SELECT id FROM body WHERE hash = ?1", {SqlValue::blob(hash)});
  if (!id || id.value()) return id;
  const Packed packed = pack_body(*robots.body);
  auto kept = run(database_, "INSERT INTO body(hash, size, coding, octets) VALUES(?1, ?2, ?3, ?4)",
                  {SqlValue::blob(hash), static_cast<std::int64_t>(robots.body->size()), packed.coding,
                   SqlValue::blob(packed.bytes)});
  if (!kept) return kept.error();
  return std::optional(static_cast<std::int64_t>(sqlite3_last_insert_rowid(database_.handle())));
}

Result<bool> Records::put(const Origin& origin, const RobotsRecord& robots, bool newer_only) {
  struct Column {
    enum : int { body, fetched_at };
  };
  std::optional<std::int64_t> old_body;
  bool is_older = false;
  auto put = run(database_, "SELECT body, fetched_at FROM robots WHERE origin = ?1 AND outcome IS NOT NULL",
                 {origin.to_string()}, [&](const Statement& row) {
                   if (!row.is_null(Column::body)) old_body = row.integer(Column::body);
                   is_older = robots.fetched_at < time_of(row.integer(Column::fetched_at));
                 });
  if (!put) return put.error();
  if (is_older && newer_only) return false;
  const auto body = keep_body(robots);
  if (!body) return body.error();
  static const std::string& sql = *new std::string(
      "INSERT INTO robots(" + names_of(record_columns) + ") VALUES(" + places_of(record_columns, '?') +
      ") ON CONFLICT(origin) DO UPDATE SET " + assignments_of(record_columns, "?"));  // never destroyed
  put = run(database_, sql.c_str(), RecordValues(origin, body.value(), robots).all());
  if (put && old_body != body.value()) put = drop_orphan(old_body);
  return put ? Result<bool>(true) : put.error();
}

Result<void> Records::drop_orphan(std::optional<std::int64_t> body) {
  if (!body) return {};
  return run(database_, "DELETE FROM body WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM robots WHERE robots.body = ?1)",
             {*body});
}

Result<void> Records::set_fresh_until(const std::string& key, Timestamp time) {
  return run(database_, "UPDATE robots SET fresh_until = ?2 WHERE origin = ?1 AND outcome IS NOT NULL",
             {key, bounded(time)});
}

// Keeps the row with the fence of its lease, so that the next lease gets a greater one.
Result<bool> Records::erase(const std::string& key) {
  std::optional<std::int64_t> body;
  bool is_there = false;
  auto done = run(database_, "SELECT body FROM robots WHERE origin = ?1 AND outcome IS NOT NULL", {key},
                  [&](const Statement& row) {
                    is_there = true;
                    if (!row.is_null(only_column)) body = row.integer(only_column);
                  });
  if (done) done = run(database_, "UPDATE robots SET body = NULL, outcome = NULL WHERE origin = ?1", {key});
  if (done) done = drop_orphan(body);
  return done ? Result<bool>(is_there) : done.error();
}

Result<void> Records::clear() {
  auto done = run(database_, "DELETE FROM robots WHERE lease_fence = 0", {});
  if (done) done = run(database_, "UPDATE robots SET body = NULL, outcome = NULL", {});
  if (done) done = run(database_, "DELETE FROM body", {});
  return done;
}

Result<std::uint64_t> Records::prune(Timestamp before, Timestamp now) {
  auto done = run(database_,
                  "DELETE FROM robots WHERE outcome IS NOT NULL AND fresh_until < ?1"
                  " AND (lease_fence <= 0 OR lease_until <= ?2)",
                  {before, now});
  if (!done) return done.error();
  const auto pruned = static_cast<std::uint64_t>(sqlite3_changes64(database_.handle()));
  done = run(database_, "DELETE FROM robots WHERE outcome IS NULL AND (lease_fence <= 0 OR lease_until <= ?1)", {now});
  if (done)
    done = run(database_, "DELETE FROM body WHERE NOT EXISTS (SELECT 1 FROM robots WHERE robots.body = body.id)", {});
  return done ? Result<std::uint64_t>(pruned) : done.error();
}

Result<LeaseAnswer> Records::lease(const Origin& origin, std::chrono::microseconds length, std::uint64_t lost,
                                   Timestamp now, Owners& owners) {
  const std::string key = origin.to_string();
  OwnedLease kept;
  bool sound = true;
  auto read = run(database_, "SELECT * FROM robots WHERE origin = ?1", {key},
                  [&](const Statement& row) { sound = read_lease(row, kept); });
  if (!read) return read.error();
  if (!sound) return database_.damaged(" (the lease of " + base::excerpt(key) + " can't be read)");
  if (kept.is_held(now, lost) && !owners.has_ended(kept.owner, now))
    return LeaseAnswer(Wait{kept.until, gate_key(origin), WaitWhy::in_flight});
  const RobotsLease lease = next_lease(kept, origin, length, now);
  const std::string owner = pack_owner(owners.self());
  auto set = run(database_,
                 "INSERT INTO robots(origin, lease_fence, lease_until, lease_owner) VALUES(?1, ?2, ?3, ?4)"
                 " ON CONFLICT(origin) DO UPDATE SET lease_fence = ?2, lease_until = ?3, lease_owner = ?4",
                 {key, static_cast<std::int64_t>(lease.fence), lease.expires_at, SqlValue::filled_blob(owner)});
  return set ? Result<LeaseAnswer>(lease) : set.error();
}

Result<void> Records::end_lease(const RobotsLease& lease, Timestamp now) {
  const std::string key = lease.origin.to_string();
  auto done = run(database_,
                  "UPDATE robots SET lease_fence = -lease_fence, lease_owner = NULL"
                  " WHERE origin = ?1 AND lease_fence = ?2 AND lease_until > ?3",
                  {key, static_cast<std::int64_t>(lease.fence), now});
  if (!done) return done;
  if (sqlite3_changes64(database_.handle()) != 1) return unknown_token(lease.fence);
  return {};
}

}  // namespace robotrules::store
