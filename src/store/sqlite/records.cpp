#include "store/sqlite/records.hpp"

#include "store/request_check.hpp"
#include "store/sqlite/octets.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {

Result<std::shared_ptr<const RobotsRecord>> Records::find(const std::string& key, const Origin& origin) const {
  std::shared_ptr<RobotsRecord> found;
  bool sound = true;
  auto read = run(
      database_,
      "SELECT outcome, status, url, hops, etag, last_modified, fetched_at, fresh_until, failing_since, failures,"
      " robots.body, coding, octets, size"
      " FROM robots LEFT JOIN body ON body.id = robots.body WHERE origin = ?1 AND outcome IS NOT NULL",
      [&](Statement& s) { s.bind(1, key); },
      [&](const Statement& row) {
        found = std::make_shared<RobotsRecord>();
        found->outcome = static_cast<RobotsOutcome>(row.integer(0));
        found->status = static_cast<int>(row.integer(1));
        found->url = row.is_null(2) ? origin.robots_url() : std::string(row.octets(2));
        found->hops = unpack_hops(row.octets(3));
        found->etag = row.octets(4);
        found->last_modified = row.octets(5);
        found->fetched_at = time_of(row.integer(6));
        found->fresh_until = time_of(row.integer(7));
        found->failing_since = time_in(row, 8);
        found->failures = static_cast<std::uint32_t>(row.integer(9));
        sound = row.integer(0) >= 0 && row.integer(0) <= 2;
        if (row.is_null(10)) return;
        if (auto known = bodies_.find(row.integer(10))) {
          found->body = *std::move(known);
          return;
        }
        auto body = row.is_null(11) ? std::nullopt : unpack_body(row.integer(11), row.octets(12), row.integer(13));
        sound = sound && body.has_value();
        if (!body) return;
        found->body = std::make_shared<const std::string>(*std::move(body));
        bodies_.put(row.integer(10), found->body, found->body->size());
      });
  if (!read) return read.error();
  if (!sound) return database_.damaged();
  return std::shared_ptr<const RobotsRecord>(std::move(found));
}

Result<std::vector<std::string>> Records::names(const std::string& after) const {
  std::vector<std::string> names;
  static_assert(page == 256);
  auto listed = run(
      database_, "SELECT origin FROM robots WHERE origin > ?1 AND outcome IS NOT NULL ORDER BY origin LIMIT 256",
      [&](Statement& s) { s.bind(1, after); }, [&](const Statement& row) { names.emplace_back(row.octets(0)); });
  if (!listed) return listed.error();
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

Result<void> Records::put(const std::string& key, const Origin& origin, const RobotsRecord& robots) {
  auto body = keep_body(robots);
  if (!body) return body.error();
  const std::string hops = pack_hops(robots.hops);
  return run(database_,
             "INSERT INTO robots(origin, body, outcome, status, url, hops, etag, last_modified, fetched_at,"
             " fresh_until, failing_since, failures)"
             " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
             " ON CONFLICT(origin) DO UPDATE SET body = ?2, outcome = ?3, status = ?4, url = ?5, hops = ?6, etag = ?7,"
             " last_modified = ?8, fetched_at = ?9, fresh_until = ?10, failing_since = ?11, failures = ?12",
             [&](Statement& s) {
               s.bind(1, key).bind(2, body.value()).bind(3, static_cast<std::int64_t>(robots.outcome));
               s.bind(4, std::int64_t{robots.status});
               robots.url == origin.robots_url() ? s.bind_null(5) : s.bind(5, robots.url);
               hops.empty() ? s.bind_null(6) : s.bind(6, hops);
               robots.etag.empty() ? s.bind_null(7) : s.bind_octets(7, robots.etag);
               robots.last_modified.empty() ? s.bind_null(8) : s.bind_octets(8, robots.last_modified);
               s.bind(9, count(robots.fetched_at)).bind(10, count(robots.fresh_until));
               s.bind(11, count(robots.failing_since)).bind(12, std::int64_t{robots.failures});
             });
}

Result<void> Records::set_fresh_until(const std::string& key, Timestamp time) {
  return run(database_, "UPDATE robots SET fresh_until = ?2 WHERE origin = ?1 AND outcome IS NOT NULL",
             [&](Statement& s) { s.bind(1, key).bind(2, count(time)); });
}

// Its fence stays behind, so that the next lease has a greater one.
Result<void> Records::erase(const std::string& key) {
  return run(database_, "UPDATE robots SET body = NULL, outcome = NULL WHERE origin = ?1",
             [&](Statement& s) { s.bind(1, key); });
}

Result<void> Records::clear() {
  auto done = run(database_, "DELETE FROM robots WHERE lease_fence = 0", {});
  if (done) done = run(database_, "UPDATE robots SET body = NULL, outcome = NULL", {});
  if (done) done = run(database_, "DELETE FROM body", {});
  return done;
}

Result<std::uint64_t> Records::prune(Timestamp before, Timestamp now) {
  auto done = run(database_,
                  "DELETE FROM robots WHERE (outcome IS NULL OR fresh_until < ?1)"
                  " AND (lease_fence <= 0 OR lease_until <= ?2)",
                  [&](Statement& s) { s.bind(1, count(before)).bind(2, count(now)); });
  if (!done) return done.error();
  const auto pruned = static_cast<std::uint64_t>(sqlite3_changes64(database_.handle()));
  done = run(database_, "DELETE FROM body WHERE NOT EXISTS (SELECT 1 FROM robots WHERE robots.body = body.id)", {});
  if (!done) return done.error();
  return pruned;
}

Result<LeaseAnswer> Records::lease(const Origin& origin, std::chrono::microseconds length, Timestamp now) {
  const std::string key = origin.to_string();
  std::int64_t fence = 0;
  Timestamp until;
  bool held = false;
  auto read = run(
      database_, "SELECT lease_fence, lease_until FROM robots WHERE origin = ?1", [&](Statement& s) { s.bind(1, key); },
      [&](const Statement& row) {
        fence = row.integer(0) < 0 ? -row.integer(0) : row.integer(0);
        until = time_of(row.integer(1));
        held = row.integer(0) > 0 && until > now;
      });
  if (!read) return read.error();
  if (held) return LeaseAnswer(Wait{until, gate_key(origin), WaitWhy::in_flight});
  const std::uint64_t next = next_fence(static_cast<std::uint64_t>(fence), now);
  const RobotsLease lease{next, origin, now + length};
  auto set = run(
      database_,
      "INSERT INTO robots(origin, lease_fence, lease_until) VALUES(?1, ?2, ?3)"
      " ON CONFLICT(origin) DO UPDATE SET lease_fence = ?2, lease_until = ?3",
      [&](Statement& s) { s.bind(1, key).bind(2, static_cast<std::int64_t>(next)).bind(3, count(lease.expires_at)); });
  if (!set) return set.error();
  return LeaseAnswer(lease);
}

// A lease that has ended leaves its fence negated.
Result<void> Records::end_lease(const RobotsLease& lease, Timestamp now) {
  const std::string key = lease.origin.to_string();
  auto done =
      run(database_,
          "UPDATE robots SET lease_fence = -lease_fence"
          " WHERE origin = ?1 AND lease_fence = ?2 AND lease_until > ?3",
          [&](Statement& s) { s.bind(1, key).bind(2, static_cast<std::int64_t>(lease.fence)).bind(3, count(now)); });
  if (!done) return done;
  if (lease.fence == 0 || sqlite3_changes64(database_.handle()) != 1) return unknown_token(lease.fence);
  return {};
}

}  // namespace robotrules::store
