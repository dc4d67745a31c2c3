#include "store/sqlite/sqlite_records.hpp"

#include <cstdlib>
#include <limits>

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

bool read_record(const Statement& row, const Origin& origin, RobotsRecord& into) {
  const auto is = [&row](int column, int type) { return row.type(column) == type; };
  const auto is_or_null = [&](int column, int type) { return is(column, type) || row.is_null(column); };
  const auto within = [&](int column, std::int64_t min, std::int64_t max) {
    return is(column, SQLITE_INTEGER) && row.integer(column) >= min && row.integer(column) <= max;
  };
  const auto time = [&](int column) { return within(column, -max_time, max_time); };
  using Column = RobotsColumn;
  const bool sound =
      is(Column::origin, SQLITE_TEXT) && is_or_null(Column::body, SQLITE_INTEGER) && within(Column::outcome, 0, 2) &&
      within(Column::status, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()) &&
      is_or_null(Column::url, SQLITE_TEXT) && is_or_null(Column::hops, SQLITE_TEXT) &&
      is_or_null(Column::etag, SQLITE_BLOB) && is_or_null(Column::last_modified, SQLITE_BLOB) &&
      time(Column::fetched_at) && time(Column::fresh_until) &&
      (row.is_null(Column::failing_since) || time(Column::failing_since)) &&
      within(Column::failures, 0, std::numeric_limits<std::uint32_t>::max()) && within(Column::truncated, 0, 1);
  if (!sound) return false;
  into.outcome = static_cast<RobotsOutcome>(row.integer(Column::outcome));
  into.status = static_cast<int>(row.integer(Column::status));
  into.url = row.is_null(Column::url) ? origin.robots_url() : std::string(row.bytes(Column::url));
  into.hops = unpack_hops(row.bytes(Column::hops));
  into.etag = row.bytes(Column::etag);
  into.last_modified = row.bytes(Column::last_modified);
  into.fetched_at = time_of(row.integer(Column::fetched_at));
  into.fresh_until = time_of(row.integer(Column::fresh_until));
  into.failing_since = time_in(row, Column::failing_since);
  into.failures = static_cast<std::uint32_t>(row.integer(Column::failures));
  into.truncated = row.integer(Column::truncated) != 0;
  return true;
}

bool read_lease(const Statement& row, KeptLease& into) {
  using Column = RobotsColumn;
  if (row.type(Column::lease_fence) != SQLITE_INTEGER || row.type(Column::lease_until) != SQLITE_INTEGER) return false;
  if (row.type(Column::lease_owner) != SQLITE_BLOB && !row.is_null(Column::lease_owner)) return false;
  const auto owner = unpack_owner(row.bytes(Column::lease_owner));
  if (!owner) return false;
  into = {row.integer(Column::lease_fence), time_of(row.integer(Column::lease_until)), *owner};
  return into.fence >= -max_count && into.fence <= max_count && is_sound(into.until);
}

std::optional<std::string> read_body(const Statement& row) {
  using Column = RobotsColumn;
  auto body =
      unpack_body(row.integer(Column::body_coding), row.bytes(Column::body_octets), row.integer(Column::body_size));
  // A flipped bit in compressed text can give other rules that are valid, so the hash is compared.
  if (!body || content_hash(*body) != row.bytes(Column::body_hash)) return std::nullopt;
  return body;
}

Result<std::shared_ptr<const RobotsRecord>> Records::find(const std::string& key, const Origin& origin) const {
  std::shared_ptr<RobotsRecord> found;
  bool sound = true;
  auto read = run(
      database_,
      "SELECT robots.*, coding, octets, size, hash FROM robots LEFT JOIN body ON body.id = robots.body"
      " WHERE origin = ?1 AND outcome IS NOT NULL",
      [&](Statement& s) { s.bind(1, key); },
      [&](const Statement& row) {
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
  bool sound = true;
  static_assert(page == 256);
  auto listed = run(
      database_, "SELECT origin FROM robots WHERE origin > ?1 AND outcome IS NOT NULL ORDER BY origin LIMIT 256",
      [&](Statement& s) { s.bind(1, after); },
      [&](const Statement& row) {
        // SQLite sorts blobs after all text, so a blob would be listed again and again.
        const std::string_view name = row.bytes(only_column);
        sound = sound && row.type(only_column) == SQLITE_TEXT && name > (names.empty() ? after : names.back());
        names.emplace_back(name);
      });
  if (!listed) return listed.error();
  if (!sound) return database_.damaged(" (its origins are out of order)");
  return names;
}

Result<std::optional<std::int64_t>> Records::keep_body(const RobotsRecord& robots) {
  if (robots.body == nullptr) return std::optional<std::int64_t>();
  const std::string hash = content_hash(*robots.body);
  std::optional<std::int64_t> id;
  auto read = run(
      database_, "SELECT id FROM body WHERE hash = ?1", [&](Statement& s) { s.bind_blob(1, hash); },
      [&](const Statement& row) { id = row.integer(only_column); });
  if (!read) return read.error();
  if (id) return id;
  const Packed packed = pack_body(*robots.body);
  auto kept = run(database_, "INSERT INTO body(hash, size, coding, octets) VALUES(?1, ?2, ?3, ?4)", [&](Statement& s) {
    s.bind_blob(1, hash).bind(2, static_cast<std::int64_t>(robots.body->size())).bind(3, packed.coding);
    s.bind_blob(4, packed.bytes);
  });
  if (!kept) return kept.error();
  return std::optional(static_cast<std::int64_t>(sqlite3_last_insert_rowid(database_.handle())));
}

Result<bool> Records::put(const std::string& key, const Origin& origin, const RobotsRecord& robots, Keep keep) {
  struct Column {
    enum : int { body, fetched_at };
  };
  std::optional<std::int64_t> old_body;
  bool is_older = false;
  auto read = run(
      database_, "SELECT body, fetched_at FROM robots WHERE origin = ?1 AND outcome IS NOT NULL",
      [&](Statement& s) { s.bind(1, key); },
      [&](const Statement& row) {
        if (!row.is_null(Column::body)) old_body = row.integer(Column::body);
        is_older = robots.fetched_at < time_of(row.integer(Column::fetched_at));
      });
  if (!read) return read.error();
  if (is_older && keep == Keep::the_newer) return false;
  auto body = keep_body(robots);
  if (!body) return body.error();
  const std::string hops = pack_hops(robots.hops);
  auto put =
      run(database_,
          "INSERT INTO robots(origin, body, outcome, status, url, hops, etag, last_modified, fetched_at,"
          " fresh_until, failing_since, failures, truncated)"
          " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?15)"
          " ON CONFLICT(origin) DO UPDATE SET body = ?2, outcome = ?3, status = ?4, url = ?5, hops = ?6, etag = ?7,"
          " last_modified = ?8, fetched_at = ?9, fresh_until = ?10, failing_since = ?11, failures = ?12,"
          " truncated = ?15",
          [&](Statement& s) {
            constexpr int url_at = parameter(RobotsColumn::url);
            constexpr int hops_at = parameter(RobotsColumn::hops);
            constexpr int etag_at = parameter(RobotsColumn::etag);
            constexpr int last_modified_at = parameter(RobotsColumn::last_modified);
            const auto since = robots.failing_since ? std::optional(bounded(*robots.failing_since)) : std::nullopt;
            s.bind(parameter(RobotsColumn::origin), key);
            s.bind(parameter(RobotsColumn::body), body.value());
            s.bind(parameter(RobotsColumn::outcome), static_cast<std::int64_t>(robots.outcome));
            s.bind(parameter(RobotsColumn::status), std::int64_t{robots.status});
            robots.url == origin.robots_url() ? s.bind_null(url_at) : s.bind(url_at, robots.url);
            hops.empty() ? s.bind_null(hops_at) : s.bind(hops_at, hops);
            robots.etag.empty() ? s.bind_null(etag_at) : s.bind_blob(etag_at, robots.etag);
            robots.last_modified.empty() ? s.bind_null(last_modified_at)
                                         : s.bind_blob(last_modified_at, robots.last_modified);
            s.bind(parameter(RobotsColumn::fetched_at), count(bounded(robots.fetched_at)));
            s.bind(parameter(RobotsColumn::fresh_until), count(bounded(robots.fresh_until)));
            s.bind(parameter(RobotsColumn::failing_since), count(since));
            s.bind(parameter(RobotsColumn::failures), std::int64_t{robots.failures});
            s.bind(parameter(RobotsColumn::truncated), std::int64_t{robots.truncated});
          });
  if (put && old_body != body.value()) put = drop_orphan(old_body);
  if (!put) return put.error();
  return true;
}

Result<void> Records::drop_orphan(std::optional<std::int64_t> body) {
  if (!body) return {};
  return run(database_, "DELETE FROM body WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM robots WHERE robots.body = ?1)",
             [&](Statement& s) { s.bind(1, *body); });
}

Result<void> Records::set_fresh_until(const std::string& key, Timestamp time) {
  return run(database_, "UPDATE robots SET fresh_until = ?2 WHERE origin = ?1 AND outcome IS NOT NULL",
             [&](Statement& s) { s.bind(1, key).bind(2, count(bounded(time))); });
}

// Keeps the row with the fence of its lease, so that the next lease gets a greater one.
Result<void> Records::erase(const std::string& key) {
  std::optional<std::int64_t> body;
  auto done = run(
      database_, "SELECT body FROM robots WHERE origin = ?1 AND body IS NOT NULL",
      [&](Statement& s) { s.bind(1, key); }, [&](const Statement& row) { body = row.integer(only_column); });
  if (!done) return done;
  done = run(database_, "UPDATE robots SET body = NULL, outcome = NULL WHERE origin = ?1",
             [&](Statement& s) { s.bind(1, key); });
  return done ? drop_orphan(body) : done;
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
                  [&](Statement& s) { s.bind(1, count(before)).bind(2, count(now)); });
  if (!done) return done.error();
  const auto pruned = static_cast<std::uint64_t>(sqlite3_changes64(database_.handle()));
  done = run(database_, "DELETE FROM robots WHERE outcome IS NULL AND (lease_fence <= 0 OR lease_until <= ?1)",
             [&](Statement& s) { s.bind(1, count(now)); });
  if (!done) return done.error();
  done = run(database_, "DELETE FROM body WHERE NOT EXISTS (SELECT 1 FROM robots WHERE robots.body = body.id)", {});
  if (!done) return done.error();
  return pruned;
}

Result<LeaseAnswer> Records::lease(const Origin& origin, std::chrono::microseconds length, Timestamp now,
                                   Owners& owners) {
  const std::string key = origin.to_string();
  KeptLease kept;
  bool sound = true;
  auto read = run(
      database_, "SELECT * FROM robots WHERE origin = ?1", [&](Statement& s) { s.bind(1, key); },
      [&](const Statement& row) { sound = read_lease(row, kept); });
  if (!read) return read.error();
  if (!sound) return database_.damaged(" (the lease of " + base::excerpt(key) + " can't be read)");
  if (kept.fence > 0 && kept.until > now && !owners.has_ended(kept.owner, now)) {
    return LeaseAnswer(Wait{kept.until, gate_key(origin), WaitWhy::in_flight});
  }
  const std::uint64_t next = next_fence(static_cast<std::uint64_t>(std::abs(kept.fence)), now);
  const RobotsLease lease{next, origin, now + length};
  const std::string owner = pack_owner(owners.self());
  auto set = run(database_,
                 "INSERT INTO robots(origin, lease_fence, lease_until, lease_owner) VALUES(?1, ?2, ?3, ?4)"
                 " ON CONFLICT(origin) DO UPDATE SET lease_fence = ?2, lease_until = ?3, lease_owner = ?4",
                 [&](Statement& s) {
                   s.bind(1, key).bind(2, static_cast<std::int64_t>(next)).bind(3, count(lease.expires_at));
                   owner.empty() ? s.bind_null(4) : s.bind_blob(4, owner);
                 });
  if (!set) return set.error();
  return LeaseAnswer(lease);
}

// The fence of a lease that has ended is stored negated.
Result<void> Records::end_lease(const RobotsLease& lease, Timestamp now) {
  if (lease.fence == 0 || lease.fence > static_cast<std::uint64_t>(max_count)) return unknown_token(lease.fence);
  const std::string key = lease.origin.to_string();
  auto done =
      run(database_,
          "UPDATE robots SET lease_fence = -lease_fence, lease_owner = NULL"
          " WHERE origin = ?1 AND lease_fence = ?2 AND lease_until > ?3",
          [&](Statement& s) { s.bind(1, key).bind(2, static_cast<std::int64_t>(lease.fence)).bind(3, count(now)); });
  if (!done) return done;
  if (sqlite3_changes64(database_.handle()) != 1) return unknown_token(lease.fence);
  return {};
}

}  // namespace robotrules::store
