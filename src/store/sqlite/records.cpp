#include "store/sqlite/records.hpp"

#include <cstdlib>
#include <limits>

#include "base/escape.hpp"
#include "store/gate_row.hpp"
#include "store/request_check.hpp"
#include "store/sqlite/octets.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

bool read_record(const Statement& row, const Origin& origin, RobotsRecord& into) {
  const auto is = [&row](int column, int type) { return row.type(column) == type; };
  const auto is_or_null = [&](int column, int type) { return is(column, type) || row.is_null(column); };
  const auto within = [&](int column, std::int64_t least, std::int64_t greatest) {
    return is(column, SQLITE_INTEGER) && row.integer(column) >= least && row.integer(column) <= greatest;
  };
  const auto time = [&](int column) { return within(column, -greatest_time, greatest_time); };
  const bool sound = is(0, SQLITE_TEXT) && is_or_null(1, SQLITE_INTEGER) && within(2, 0, 2) &&
                     within(3, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()) &&
                     is_or_null(4, SQLITE_TEXT) && is_or_null(5, SQLITE_TEXT) && is_or_null(6, SQLITE_BLOB) &&
                     is_or_null(7, SQLITE_BLOB) && time(8) && time(9) && (row.is_null(10) || time(10)) &&
                     within(11, 0, std::numeric_limits<std::uint32_t>::max()) && within(14, 0, 1);
  if (!sound) return false;
  into.outcome = static_cast<RobotsOutcome>(row.integer(2));
  into.status = static_cast<int>(row.integer(3));
  into.url = row.is_null(4) ? origin.robots_url() : std::string(row.octets(4));
  into.hops = unpack_hops(row.octets(5));
  into.etag = row.octets(6);
  into.last_modified = row.octets(7);
  into.fetched_at = time_of(row.integer(8));
  into.fresh_until = time_of(row.integer(9));
  into.failing_since = time_in(row, 10);
  into.failures = static_cast<std::uint32_t>(row.integer(11));
  into.truncated = row.integer(14) != 0;
  return true;
}

bool read_lease(const Statement& row, KeptLease& into) {
  if (row.type(12) != SQLITE_INTEGER || row.type(13) != SQLITE_INTEGER) return false;
  if (row.type(15) != SQLITE_BLOB && !row.is_null(15)) return false;
  const auto owner = unpack_owner(row.octets(15));
  if (!owner) return false;
  into = {row.integer(12), time_of(row.integer(13)), *owner};
  return into.fence >= -greatest_count && into.fence <= greatest_count && is_sound(into.until);
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
        if (!sound || row.is_null(1)) return;
        if (auto known = bodies_.find(row.integer(1))) {
          found->body = *std::move(known);
          return;
        }
        auto body = row.is_null(16) ? std::nullopt : unpack_body(row.integer(16), row.octets(17), row.integer(18));
        // Compressed text in which a bit was flipped is text, but other rules.
        sound = body && content_hash(*body) == row.octets(19);
        if (!sound) return;
        found->body = std::make_shared<const std::string>(*std::move(body));
        bodies_.put(row.integer(1), found->body, found->body->size());
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
        // Octets that are no text stand behind every text, and would for ever.
        const std::string_view name = row.octets(0);
        sound = sound && row.type(0) == SQLITE_TEXT && name > (names.empty() ? after : names.back());
        names.emplace_back(name);
      });
  if (!listed) return listed.error();
  if (!sound) return database_.damaged(" (its origins are in no order)");
  return names;
}

Result<std::optional<std::int64_t>> Records::keep_body(const RobotsRecord& robots) {
  if (robots.body == nullptr) return std::optional<std::int64_t>();
  const std::string hash = content_hash(*robots.body);
  std::optional<std::int64_t> id;
  auto read = run(
      database_, "SELECT id FROM body WHERE hash = ?1", [&](Statement& s) { s.bind_octets(1, hash); },
      [&](const Statement& row) { id = row.integer(0); });
  if (!read) return read.error();
  if (id) return id;
  const Packed packed = pack_body(*robots.body);
  auto kept = run(database_, "INSERT INTO body(hash, size, coding, octets) VALUES(?1, ?2, ?3, ?4)", [&](Statement& s) {
    s.bind_octets(1, hash).bind(2, static_cast<std::int64_t>(robots.body->size())).bind(3, packed.coding);
    s.bind_octets(4, packed.octets);
  });
  if (!kept) return kept.error();
  return std::optional(static_cast<std::int64_t>(sqlite3_last_insert_rowid(database_.handle())));
}

Result<bool> Records::put(const std::string& key, const Origin& origin, const RobotsRecord& robots, Keep keep) {
  std::optional<std::int64_t> old_body;
  bool is_older = false;
  auto read = run(
      database_, "SELECT body, fetched_at FROM robots WHERE origin = ?1 AND outcome IS NOT NULL",
      [&](Statement& s) { s.bind(1, key); },
      [&](const Statement& row) {
        if (!row.is_null(0)) old_body = row.integer(0);
        is_older = robots.fetched_at < time_of(row.integer(1));
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
          " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
          " ON CONFLICT(origin) DO UPDATE SET body = ?2, outcome = ?3, status = ?4, url = ?5, hops = ?6, etag = ?7,"
          " last_modified = ?8, fetched_at = ?9, fresh_until = ?10, failing_since = ?11, failures = ?12,"
          " truncated = ?13",
          [&](Statement& s) {
            s.bind(1, key).bind(2, body.value()).bind(3, static_cast<std::int64_t>(robots.outcome));
            s.bind(4, std::int64_t{robots.status});
            robots.url == origin.robots_url() ? s.bind_null(5) : s.bind(5, robots.url);
            hops.empty() ? s.bind_null(6) : s.bind(6, hops);
            robots.etag.empty() ? s.bind_null(7) : s.bind_octets(7, robots.etag);
            robots.last_modified.empty() ? s.bind_null(8) : s.bind_octets(8, robots.last_modified);
            const auto since = robots.failing_since ? std::optional(bounded(*robots.failing_since)) : std::nullopt;
            s.bind(9, count(bounded(robots.fetched_at))).bind(10, count(bounded(robots.fresh_until)));
            s.bind(11, count(since)).bind(12, std::int64_t{robots.failures});
            s.bind(13, std::int64_t{robots.truncated});
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

// Its fence stays behind, so that the next lease has a greater one.
Result<void> Records::erase(const std::string& key) {
  std::optional<std::int64_t> body;
  auto done = run(
      database_, "SELECT body FROM robots WHERE origin = ?1 AND body IS NOT NULL",
      [&](Statement& s) { s.bind(1, key); }, [&](const Statement& row) { body = row.integer(0); });
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
                   owner.empty() ? s.bind_null(4) : s.bind_octets(4, owner);
                 });
  if (!set) return set.error();
  return LeaseAnswer(lease);
}

// A lease that has ended leaves its fence negated.
Result<void> Records::end_lease(const RobotsLease& lease, Timestamp now) {
  if (lease.fence == 0 || lease.fence > static_cast<std::uint64_t>(greatest_count)) return unknown_token(lease.fence);
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
