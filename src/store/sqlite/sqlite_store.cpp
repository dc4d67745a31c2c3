#include <unistd.h>

#include <mutex>
#include <utility>

#include <robotrules/sqlite_store.hpp>

#include "store/generation_cache.hpp"
#include "store/machine_clock.hpp"
#include "store/request_check.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/octets.hpp"
#include "store/sqlite/schema.hpp"

namespace robotrules {
namespace {

using store::Database;
using store::GateRow;
using store::Statement;

std::int64_t count(Timestamp time) { return time.time_since_epoch().count(); }
Timestamp time_of(std::int64_t count) { return Timestamp(std::chrono::microseconds(count)); }
std::optional<std::int64_t> count(const std::optional<Timestamp>& time) {
  return time ? std::optional(count(*time)) : std::nullopt;
}
std::optional<Timestamp> time_in(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(time_of(row.integer(column)));
}

class SqliteStore final : public Store {
 public:
  SqliteStore(std::string path, SqliteStoreOptions options) : path_(std::move(path)), options_(std::move(options)) {}

  ~SqliteStore() override {
    // The child of a fork() must not end what is the parent's.
    if (process_ != getpid()) static_cast<void>(database_.release());
  }
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  Result<void> open() {
    auto opened = Database::open(path_, options_);
    if (!opened) return opened.error();
    auto time = store::prepare_schema(*opened.value(), options_);
    if (!time) return time.error();
    database_ = std::move(opened).value();
    time_ = time.value();
    process_ = getpid();
    return {};
  }

  Timestamp now() const override {
    return Timestamp(time_.offset) + (options_.time.since_boot ? options_.time.since_boot() : store::time_since_boot());
  }

  Result<std::string> agent() const override {
    return locked([&] { return agent_kept(); });
  }

  Result<std::string> set_agent(std::string_view name) override {
    return changing([&]() -> Result<std::string> {
      auto before = agent_kept();
      if (!before || before.value() == name) return before;
      ++own_changes_;
      auto set =
          run("INSERT OR REPLACE INTO meta(name, value) VALUES('agent', ?1)", [&](Statement& s) { s.bind(1, name); });
      if (set) set = run("DELETE FROM robots WHERE lease_fence = 0", {});
      if (set) set = run("UPDATE robots SET body = NULL, outcome = NULL", {});
      if (set) set = run("DELETE FROM body", {});
      if (set) set = run("UPDATE gate SET visits = 0, last_visit = NULL", {});
      if (!set) return set.error();
      return before;
    });
  }

  // SQLite counts what others commit, this store what it does itself.
  Result<std::uint64_t> changes() const override {
    return locked([&]() -> Result<std::uint64_t> {
      std::int64_t version = 0;
      auto read = run("PRAGMA data_version", {}, [&](const Statement& row) { version = row.integer(0); });
      if (!read) return read.error();
      return (static_cast<std::uint64_t>(version) << 32) + own_changes_;
    });
  }

  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    return locked([&] { return record(origin.to_string(), origin); });
  }

  Result<void> put_robots(const Origin& origin, RobotsRecord robots, const RobotsLease* lease) override {
    return changing([&]() -> Result<void> {
      const std::string key = origin.to_string();
      if (lease != nullptr) {
        if (auto ended = end_lease(*lease); !ended) return ended;
      }
      return put(key, origin, robots);
    });
  }

  Result<void> put_all(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    return changing([&]() -> Result<void> {
      for (const auto& [origin, robots] : records) {
        if (auto done = put(origin.to_string(), origin, robots); !done) return done;
      }
      return {};
    });
  }

  Result<void> set_fresh_until(const Origin& origin, Timestamp time) override {
    const std::string key = origin.to_string();
    return changing([&] {
      ++own_changes_;
      return run("UPDATE robots SET fresh_until = ?2 WHERE origin = ?1 AND outcome IS NOT NULL",
                 [&](Statement& s) { s.bind(1, key).bind(2, count(time)); });
    });
  }

  Result<void> erase_robots(const Origin& origin) override {
    const std::string key = origin.to_string();
    return changing([&] { return erase(key); });
  }

  Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) override {
    if (auto fault = store::find_fault(length)) return *std::move(fault);
    const std::string key = origin.to_string();
    return changing([&]() -> Result<LeaseAnswer> {
      const Timestamp time = now();
      std::int64_t fence = 0;
      Timestamp until;
      bool held = false;
      auto read = run(
          "SELECT lease_fence, lease_until FROM robots WHERE origin = ?1", [&](Statement& s) { s.bind(1, key); },
          [&](const Statement& row) {
            fence = row.integer(0) < 0 ? -row.integer(0) : row.integer(0);
            until = time_of(row.integer(1));
            held = row.integer(0) > 0 && until > time;
          });
      if (!read) return read.error();
      if (held) return LeaseAnswer(Wait{until, gate_key(origin), WaitWhy::in_flight});
      const std::uint64_t next = next_fence(static_cast<std::uint64_t>(fence), time);
      const RobotsLease lease{next, origin, time + length};
      auto set =
          run("INSERT INTO robots(origin, lease_fence, lease_until) VALUES(?1, ?2, ?3) ON CONFLICT(origin) DO UPDATE"
              " SET lease_fence = ?2, lease_until = ?3",
              [&](Statement& s) {
                s.bind(1, key).bind(2, static_cast<std::int64_t>(next)).bind(3, count(lease.expires_at));
              });
      if (!set) return set.error();
      return LeaseAnswer(lease);
    });
  }

  Result<void> release(const RobotsLease& lease) override {
    return changing([&] { return end_lease(lease); });
  }

  Result<ReserveAnswer> reserve(const ReserveRequest& request) override {
    if (auto fault = store::find_fault(request)) return *std::move(fault);
    return changing([&]() -> Result<ReserveAnswer> {
      const Timestamp time = now();
      std::vector<GateRow> rows(request.keys.size());
      std::uint64_t fence = 0;
      std::optional<ReserveAnswer> refused;
      Timestamp longest;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        auto read = read_gate(request.keys[i], rows[i], fence);
        if (!read) return read.error();
        const auto obstacle = store::find_obstacle(rows[i], request, time, time_.just_visited);
        if (!obstacle || (refused && obstacle->until <= longest)) continue;
        longest = obstacle->until;
        refused = store::refusal(request.keys[i], *obstacle, time);
      }
      for (std::size_t i = 0; refused && i < rows.size(); ++i) {
        if (!rows[i].moved) continue;
        if (auto written = write_gate(request.keys[i], rows[i], fence); !written) return written.error();
      }
      if (refused) return *std::move(refused);
      fence = next_fence(fence, time);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        store::grant(rows[i], request, fence, time);
        if (auto written = write_gate(request.keys[i], rows[i], fence); !written) return written.error();
      }
      return ReserveAnswer(Granted{store::token_for(request, fence, time)});
    });
  }

  Result<void> complete(const Token& token, const Outcome& outcome) override {
    return end(token, [&](GateRow& row, Timestamp time) { return store::complete(row, token, outcome, time); });
  }
  Result<void> cancel(const Token& token) override {
    return end(token, [&](GateRow& row, Timestamp time) { return store::cancel(row, token, time); });
  }

  Result<GateState> gate(std::string_view key) const override {
    return locked([&]() -> Result<GateState> {
      GateRow row;
      std::uint64_t fence = 0;
      if (auto read = read_gate(key, row, fence); !read) return read.error();
      return store::state_of(row, now());
    });
  }

  Result<std::optional<Timestamp>> just_visited() const override { return time_.just_visited; }

  Result<void> add_visit(const Origin& origin, Timestamp at) override {
    const std::string key = gate_key(origin);
    return changing([&]() -> Result<void> {
      GateRow row;
      std::uint64_t fence = 0;
      if (auto read = read_gate(key, row, fence); !read) return read;
      ++row.visits;
      row.last_visit = std::min(at, now());
      return write_gate(key, row, fence);
    });
  }

  Result<void> restore_gate(std::string_view name, Timestamp penalty_until, const Visits& visits) override {
    const std::string key(name);
    return changing([&]() -> Result<void> {
      GateRow row;
      std::uint64_t fence = 0;
      if (auto read = read_gate(key, row, fence); !read) return read;
      store::restore(row, penalty_until, visits.count, visits.last, now());
      return write_gate(key, row, fence);
    });
  }

  Result<Visits> visits(const Origin& origin) const override {
    auto state = gate(gate_key(origin));
    if (!state) return state.error();
    return Visits{state.value().visits, state.value().last_visit};
  }

  Result<void> for_each_origin(const std::function<bool(const Origin&, const RobotsRecord&)>& each) const override {
    // A page of names at a time, so that the file is not held while the caller works.
    constexpr std::size_t page = 256;
    std::string after;
    while (true) {
      std::vector<std::pair<Origin, std::shared_ptr<const RobotsRecord>>> found;
      const auto read = locked([&]() -> Result<void> {
        std::vector<std::string> names;
        auto listed = run(
            "SELECT origin FROM robots WHERE origin > ?1 AND outcome IS NOT NULL ORDER BY origin LIMIT 256",
            [&](Statement& s) { s.bind(1, after); }, [&](const Statement& row) { names.emplace_back(row.octets(0)); });
        if (!listed) return listed;
        for (const std::string& name : names) {
          after = name;
          const auto origin = Origin::of(name);
          if (!origin) return database_->damaged();
          auto one = record(name, *origin);
          if (!one) return one.error();
          if (one.value() != nullptr) found.emplace_back(*origin, std::move(one).value());
        }
        if (names.size() < page) after.clear();
        return {};
      });
      if (!read) return read;
      for (const auto& [origin, robots] : found) {
        if (!each(origin, *robots)) return {};
      }
      if (after.empty()) return {};
    }
  }

  Result<Pruned> prune(Timestamp before) override {
    return changing([&]() -> Result<Pruned> {
      Pruned pruned;
      ++own_changes_;
      const std::int64_t time = count(now());
      auto done = run(
          "DELETE FROM robots WHERE (outcome IS NULL OR fresh_until < ?1) AND (lease_fence <= 0 OR lease_until <= ?2)",
          [&](Statement& s) { s.bind(1, count(before)).bind(2, time); });
      if (!done) return done.error();
      pruned.robots = static_cast<std::uint64_t>(sqlite3_changes64(database_->handle()));
      done = run("DELETE FROM body WHERE NOT EXISTS (SELECT 1 FROM robots WHERE robots.body = body.id)", {});
      if (!done) return done.error();
      done =
          run("DELETE FROM gate WHERE next_at <= ?2 AND penalty_until <= ?2 AND incidents = 0 AND holds IS NULL"
              " AND (last_visit IS NULL OR last_visit < ?1)",
              [&](Statement& s) { s.bind(1, count(before)).bind(2, time); });
      if (!done) return done.error();
      pruned.gates = static_cast<std::uint64_t>(sqlite3_changes64(database_->handle()));
      return pruned;
    });
  }

  Result<StoreStats> stats() const override {
    return locked([&]() -> Result<StoreStats> {
      StoreStats stats;
      auto read =
          run("SELECT (SELECT count(*) FROM robots WHERE outcome IS NOT NULL), (SELECT count(*) FROM body),"
              " (SELECT coalesce(sum(size), 0) FROM body), (SELECT count(*) FROM gate),"
              " (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)",
              {}, [&](const Statement& row) {
                const auto number = [&row](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
                stats = {number(0), number(1), number(2), number(3), number(4)};
              });
      if (!read) return read.error();
      return stats;
    });
  }

 private:
  using Bind = std::function<void(Statement&)>;
  using Row = std::function<void(const Statement&)>;

  // Greater than the one before, and than those of a row that was pruned: fences go with the time.
  static std::uint64_t next_fence(std::uint64_t before, Timestamp time) {
    return std::max(before + 1, static_cast<std::uint64_t>(std::max<std::int64_t>(count(time), 0)));
  }

  // Connections don't survive fork(): what the child inherits of SQLite takes the parent's locks for its own.
  Result<void> own_connection() const {
    if (process_ == getpid()) return {};
    return Error{"store-forked", "The store " + path_ +
                                     " was opened before this process was forked: open stores after "
                                     "fork(), or in a program started by exec"};
  }

  template <class Body>
  auto locked(Body body) const -> decltype(body()) {
    const std::lock_guard lock(mutex_);
    if (auto own = own_connection(); !own) return own.error();
    return body();
  }
  template <class Body>
  auto changing(Body body) -> decltype(body()) {
    const std::lock_guard lock(mutex_);
    if (auto own = own_connection(); !own) return own.error();
    return store::in_transaction(*database_, body);
  }

  // One statement, every row of its answer.
  Result<void> run(const char* sql, const Bind& bind, const Row& each = {}) const {
    auto statement = database_->prepared(sql);
    if (!statement) return statement.error();
    const store::ResetAtEnd reset(*statement.value());
    if (bind) bind(*statement.value());
    int code;
    while ((code = statement.value()->step()) == SQLITE_ROW) {
      if (each) each(*statement.value());
    }
    return code == SQLITE_DONE ? Result<void>() : Result<void>(database_->error(code));
  }

  Result<std::string> agent_kept() const {
    std::string name;
    auto read =
        run("SELECT value FROM meta WHERE name = 'agent'", {}, [&](const Statement& row) { name = row.octets(0); });
    if (!read) return read.error();
    return name;
  }

  Result<std::shared_ptr<const RobotsRecord>> record(const std::string& key, const Origin& origin) const {
    std::shared_ptr<RobotsRecord> found;
    bool sound = true;
    auto read = run(
        "SELECT outcome, status, url, hops, etag, last_modified, fetched_at, fresh_until, failing_since, failures,"
        " robots.body, coding, octets, size FROM robots LEFT JOIN body ON body.id = robots.body"
        " WHERE origin = ?1 AND outcome IS NOT NULL",
        [&](Statement& s) { s.bind(1, key); },
        [&](const Statement& row) {
          found = std::make_shared<RobotsRecord>();
          found->outcome = static_cast<RobotsOutcome>(row.integer(0));
          found->status = static_cast<int>(row.integer(1));
          found->url = row.is_null(2) ? origin.robots_url() : std::string(row.octets(2));
          found->hops = store::unpack_hops(row.octets(3));
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
          auto body =
              row.is_null(11) ? std::nullopt : store::unpack_body(row.integer(11), row.octets(12), row.integer(13));
          sound = sound && body.has_value();
          if (!body) return;
          found->body = std::make_shared<const std::string>(*std::move(body));
          bodies_.put(row.integer(10), found->body, found->body->size());
        });
    if (!read) return read.error();
    if (!sound) return database_->damaged();
    return std::shared_ptr<const RobotsRecord>(std::move(found));
  }

  Result<std::optional<std::int64_t>> keep_body(const RobotsRecord& robots) {
    if (robots.body == nullptr) return std::optional<std::int64_t>();
    const std::string hash = store::content_hash(*robots.body);
    std::optional<std::int64_t> id;
    auto read = run(
        "SELECT id FROM body WHERE hash = ?1", [&](Statement& s) { s.bind_octets(1, hash); },
        [&](const Statement& row) { id = row.integer(0); });
    if (!read) return read.error();
    if (id) return id;
    const store::Packed packed = store::pack_body(*robots.body);
    auto kept = run("INSERT INTO body(hash, size, coding, octets) VALUES(?1, ?2, ?3, ?4)", [&](Statement& s) {
      s.bind_octets(1, hash).bind(2, static_cast<std::int64_t>(robots.body->size())).bind(3, packed.coding);
      s.bind_octets(4, packed.octets);
    });
    if (!kept) return kept.error();
    return std::optional(static_cast<std::int64_t>(sqlite3_last_insert_rowid(database_->handle())));
  }

  Result<void> put(const std::string& key, const Origin& origin, const RobotsRecord& robots) {
    ++own_changes_;
    auto body = keep_body(robots);
    if (!body) return body.error();
    const std::string hops = store::pack_hops(robots.hops);
    return run(
        "INSERT INTO robots(origin, body, outcome, status, url, hops, etag, last_modified, fetched_at, fresh_until,"
        " failing_since, failures) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT(origin) DO "
        "UPDATE"
        " SET body = ?2, outcome = ?3, status = ?4, url = ?5, hops = ?6, etag = ?7, last_modified = ?8, fetched_at = "
        "?9,"
        " fresh_until = ?10, failing_since = ?11, failures = ?12",
        [&](Statement& s) {
          s.bind(1, key)
              .bind(2, body.value())
              .bind(3, static_cast<std::int64_t>(robots.outcome))
              .bind(4, std::int64_t{robots.status});
          robots.url == origin.robots_url() ? s.bind_null(5) : s.bind(5, robots.url);
          hops.empty() ? s.bind_null(6) : s.bind(6, hops);
          robots.etag.empty() ? s.bind_null(7) : s.bind_octets(7, robots.etag);
          robots.last_modified.empty() ? s.bind_null(8) : s.bind_octets(8, robots.last_modified);
          s.bind(9, count(robots.fetched_at)).bind(10, count(robots.fresh_until)).bind(11, count(robots.failing_since));
          s.bind(12, std::int64_t{robots.failures});
        });
  }

  // Its fence stays behind, so that the next lease has a greater one.
  Result<void> erase(const std::string& key) {
    ++own_changes_;
    return run("UPDATE robots SET body = NULL, outcome = NULL WHERE origin = ?1",
               [&](Statement& s) { s.bind(1, key); });
  }

  // A lease that has ended leaves its fence negated.
  Result<void> end_lease(const RobotsLease& lease) {
    const std::string key = lease.origin.to_string();
    auto done = run(
        "UPDATE robots SET lease_fence = -lease_fence WHERE origin = ?1 AND lease_fence = ?2 AND lease_until > ?3",
        [&](Statement& s) { s.bind(1, key).bind(2, static_cast<std::int64_t>(lease.fence)).bind(3, count(now())); });
    if (!done) return done;
    if (lease.fence == 0 || sqlite3_changes64(database_->handle()) != 1) return store::unknown_token(lease.fence);
    return {};
  }

  // `fence` becomes the greater of itself and the row's.
  Result<void> read_gate(std::string_view key, GateRow& into, std::uint64_t& fence) const {
    bool sound = true;
    auto read = run(
        "SELECT interval, source, next_at, penalty_until, incident_at, incidents, visits, last_visit, fence, holds "
        "FROM gate"
        " WHERE key = ?1",
        [&](Statement& s) { s.bind(1, key); },
        [&](const Statement& row) {
          into.interval = row.integer(0);
          into.source = static_cast<IntervalSource>(row.integer(1));
          into.next_at = time_of(row.integer(2));
          into.penalty_until = time_of(row.integer(3));
          into.incident_at = time_of(row.integer(4));
          into.incidents = static_cast<std::uint32_t>(row.integer(5));
          into.visits = static_cast<std::uint64_t>(row.integer(6));
          into.last_visit = time_in(row, 7);
          fence = std::max(fence, static_cast<std::uint64_t>(row.integer(8)));
          auto holds = store::unpack_holds(row.octets(9));
          sound = holds.has_value() && row.integer(1) >= 0 && row.integer(1) <= 3 && row.integer(8) >= 0;
          if (holds) into.holds = *std::move(holds);
          sound = sound && store::is_sound(into);
        });
    if (!read) return read;
    if (!sound) return database_->damaged();
    return {};
  }

  Result<void> write_gate(const std::string& key, const GateRow& row, std::uint64_t fence) {
    const std::string holds = store::pack_holds(row.holds);
    return run(
        "INSERT INTO gate(key, interval, source, next_at, penalty_until, incident_at, incidents, visits, last_visit, "
        "fence,"
        " holds) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT(key) DO UPDATE SET interval = ?2,"
        " source = ?3, next_at = ?4, penalty_until = ?5, incident_at = ?6, incidents = ?7, visits = ?8, last_visit = "
        "?9,"
        " fence = ?10, holds = ?11",
        [&](Statement& s) {
          s.bind(1, key)
              .bind(2, row.interval)
              .bind(3, static_cast<std::int64_t>(row.source))
              .bind(4, count(row.next_at));
          s.bind(5, count(row.penalty_until)).bind(6, count(row.incident_at)).bind(7, std::int64_t{row.incidents});
          s.bind(8, static_cast<std::int64_t>(row.visits)).bind(9, count(row.last_visit));
          s.bind(10, static_cast<std::int64_t>(fence));
          holds.empty() ? s.bind_null(11) : s.bind_octets(11, holds);
        });
  }

  template <class Change>
  Result<void> end(const Token& token, Change change) {
    if (token.keys.empty()) return store::unknown_token(token.fence);
    return changing([&]() -> Result<void> {
      const Timestamp time = now();
      for (const std::string& key : token.keys) {
        GateRow row;
        std::uint64_t fence = 0;
        if (auto read = read_gate(key, row, fence); !read) return read;
        if (!change(row, time)) return store::unknown_token(token.fence);
        if (auto written = write_gate(key, row, fence); !written) return written;
      }
      return {};
    });
  }

  std::string path_;
  SqliteStoreOptions options_;
  store::FileTime time_;
  mutable std::mutex mutex_;
  std::uint64_t own_changes_ = 0;
  // Bodies by their number in the file, which is never given to another.
  mutable store::GenerationCache<std::int64_t, std::shared_ptr<const std::string>> bodies_{std::size_t{64} << 20};
  std::unique_ptr<Database> database_;
  pid_t process_ = 0;
};

}  // namespace

Result<std::shared_ptr<Store>> open_sqlite_store(const std::string& path, SqliteStoreOptions options) {
  auto made = std::make_shared<SqliteStore>(path, std::move(options));
  if (auto opened = made->open(); !opened) return opened.error();
  return std::shared_ptr<Store>(std::move(made));
}

Result<std::shared_ptr<Store>> open_store(std::string_view name, SqliteStoreOptions options) {
  constexpr std::string_view scheme = "sqlite:";
  if (name.starts_with(scheme)) name.remove_prefix(scheme.size());
  return open_sqlite_store(std::string(name), std::move(options));
}

}  // namespace robotrules
