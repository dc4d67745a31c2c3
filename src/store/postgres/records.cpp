#include "store/postgres/records.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

#include "base/escape.hpp"
#include "store/gate_row.hpp"
#include "store/packing.hpp"
#include "store/postgres/schema.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

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

const std::string record_columns =
    "origin, version, outcome, status, url, hops, etag, last_modified, fetched_at, fresh_until, failing_since,"
    " failures, truncated, robots.body IS NOT NULL, coding, octets, size, hash";

// A body is put under a shared lock of its bucket and deleted under an exclusive one. So no record gets a body that is
// deleted at the same moment. There are only a few buckets because a server has room for few locks.
constexpr int lock_space = 1383031412;
constexpr std::int64_t buckets = 64;
std::int64_t bucket_of(std::string_view hash) { return static_cast<unsigned char>(hash.front()) % buckets; }

// Returns false if the row is damaged: a value is out of range.
bool read_record(const Rows& rows, int row, const Origin& origin, RobotsRecord& into) {
  using Column = RobotsColumn;
  const auto within = [&](int column, std::int64_t min, std::int64_t max) {
    return !rows.is_null(row, column) && rows.number(row, column) >= min && rows.number(row, column) <= max;
  };
  const auto time = [&](int column) { return within(column, -max_time, max_time); };
  const bool sound = within(Column::outcome, 0, 2) &&
                     within(Column::status, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()) &&
                     time(Column::fetched_at) && time(Column::fresh_until) &&
                     (rows.is_null(row, Column::failing_since) || time(Column::failing_since)) &&
                     within(Column::failures, 0, std::numeric_limits<std::uint32_t>::max()) &&
                     within(Column::truncated, 0, 1);
  if (!sound) return false;
  into.outcome = static_cast<RobotsOutcome>(rows.number(row, Column::outcome));
  into.status = static_cast<int>(rows.number(row, Column::status));
  into.url = rows.is_null(row, Column::url) ? origin.robots_url() : std::string(rows.bytes(row, Column::url));
  into.hops = unpack_hops(rows.bytes(row, Column::hops));
  into.etag = rows.bytes(row, Column::etag);
  into.last_modified = rows.bytes(row, Column::last_modified);
  into.fetched_at = timestamp_of(rows.number(row, Column::fetched_at));
  into.fresh_until = timestamp_of(rows.number(row, Column::fresh_until));
  if (const Number since = rows.optional_number(row, Column::failing_since)) into.failing_since = timestamp_of(*since);
  into.failures = static_cast<std::uint32_t>(rows.number(row, Column::failures));
  into.truncated = rows.number(row, Column::truncated) != 0;
  return true;
}

// Records as the columns of one statement.
class RecordWriter {
 public:
  void add(const Origin& origin, const RobotsRecord& record, const std::optional<std::string>& hash) {
    const auto text = [](const std::string& value) { return value.empty() ? Bytes() : Bytes(value); };
    origins_.emplace_back(origin.to_string());
    texts_[0].push_back(hash);
    texts_[1].push_back(record.url == origin.robots_url() ? Bytes() : Bytes(record.url));
    texts_[2].push_back(text(pack_hops(record.hops)));
    texts_[3].push_back(text(record.etag));
    texts_[4].push_back(text(record.last_modified));
    numbers_[0].emplace_back(static_cast<std::int64_t>(record.outcome));
    numbers_[1].emplace_back(record.status);
    numbers_[2].emplace_back(microseconds_of(bounded(record.fetched_at)));
    numbers_[3].emplace_back(microseconds_of(bounded(record.fresh_until)));
    numbers_[4].push_back(record.failing_since ? Number(microseconds_of(bounded(*record.failing_since))) : Number());
    numbers_[5].emplace_back(record.failures);
    numbers_[6].emplace_back(record.truncated ? 1 : 0);
  }
  const std::vector<Bytes>& origins() const noexcept { return origins_; }
  Statement statement(Records::Keep keep) const {
    Parameters parameters;
    parameters.byte_strings(origins_);
    for (const auto& column : texts_) parameters.byte_strings(column);
    for (const auto& column : numbers_) parameters.numbers(column);
    std::string sql =
        "INSERT INTO robots(origin, body, url, hops, etag, last_modified, outcome, status, fetched_at, fresh_until,"
        " failing_since, failures, truncated, version) SELECT n.*, " +
        std::string(sql_now) +
        " FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS n(origin, body, url, hops, etag,"
        " last_modified, outcome, status, fetched_at, fresh_until, failing_since, failures, truncated)"
        " ORDER BY n.origin ON CONFLICT (origin) DO UPDATE SET body = excluded.body, url = excluded.url,"
        " hops = excluded.hops, etag = excluded.etag, last_modified = excluded.last_modified,"
        " outcome = excluded.outcome, status = excluded.status, fetched_at = excluded.fetched_at,"
        " fresh_until = excluded.fresh_until, failing_since = excluded.failing_since, failures = excluded.failures,"
        " truncated = excluded.truncated, version = greatest(robots.version + 1, excluded.version)";
    if (keep == Records::Keep::the_newer)
      sql += " WHERE robots.outcome IS NULL OR excluded.fetched_at >= robots.fetched_at";
    return {std::move(sql), std::move(parameters)};
  }

 private:
  std::vector<Bytes> origins_;
  std::vector<Bytes> texts_[5];
  std::vector<Number> numbers_[7];
};

// The different bodies of some records.
class BodyWriter {
 public:
  std::optional<std::string> add(const RobotsRecord& record) {
    if (record.body == nullptr) return std::nullopt;
    std::string hash = content_hash(*record.body);
    if (!bodies_.contains(hash)) bodies_.emplace(hash, std::pair(record.body->size(), pack_body(*record.body)));
    return hash;
  }
  bool has(const std::string& hash) const { return bodies_.contains(hash); }
  // Precondition: at least one body.
  Batch statements() const {
    std::set<std::int64_t> locked;
    std::vector<Bytes> hashes, octets;
    std::vector<Number> sizes, codings;
    for (const auto& [hash, body] : bodies_) {
      locked.insert(bucket_of(hash));
      hashes.emplace_back(hash);
      octets.emplace_back(body.second.bytes);
      sizes.emplace_back(static_cast<std::int64_t>(body.first));
      codings.emplace_back(body.second.coding);
    }
    const std::vector<Number> asked(locked.begin(), locked.end());
    return {{"SELECT pg_advisory_xact_lock_shared(" + std::to_string(lock_space) +
                 ", n::int) FROM unnest($1) AS n ORDER BY n",
             Parameters().numbers(asked)},
            {"INSERT INTO body(hash, size, coding, octets) SELECT * FROM unnest($1, $2, $3, $4)"
             " AS n(hash, size, coding, octets) ORDER BY n.hash ON CONFLICT DO NOTHING",
             Parameters().byte_strings(hashes).numbers(sizes).numbers(codings).byte_strings(octets)}};
  }
  bool empty() const noexcept { return bodies_.empty(); }

 private:
  std::map<std::string, std::pair<std::size_t, Packed>> bodies_;
};

// Deletes bodies that no record has any more, if no other process may be giving one of them to a record now. Bodies
// that stay are deleted by prune().
Result<void> drop_orphans(Transaction& transaction, const std::vector<std::string>& hashes) {
  std::set<std::int64_t> wanted;
  for (const std::string& hash : hashes) wanted.insert(bucket_of(hash));
  if (wanted.empty()) return {};
  const std::vector<Number> asked(wanted.begin(), wanted.end());
  auto locked = transaction.run(
      {{"SELECT n FROM unnest($1) AS n WHERE pg_try_advisory_xact_lock(" + std::to_string(lock_space) + ", n::int)",
        Parameters().numbers(asked)}});
  if (!locked) return locked.error();
  std::set<std::int64_t> got;
  for (int row = 0; row < locked.value()[0].size(); ++row) got.insert(locked.value()[0].number(row, 0));
  std::vector<Bytes> free;
  for (const std::string& hash : hashes) {
    if (got.contains(bucket_of(hash))) free.emplace_back(hash);
  }
  auto done = transaction.run(
      {{"DELETE FROM body WHERE hash = ANY($1) AND NOT EXISTS(SELECT 1 FROM robots WHERE robots.body = body.hash)",
        Parameters().byte_strings(free)}});
  return done ? Result<void>() : Result<void>(done.error());
}

Statement end_lease(const RobotsLease& lease, Number now) {
  return {
      "UPDATE robots SET lease_fence = -lease_fence, lease_owner = NULL WHERE origin = $1 AND lease_fence = $2"
      " AND lease_until > coalesce($3, " +
          std::string(sql_now) + ")",
      Parameters().bytes(lease.origin.to_string()).number(static_cast<std::int64_t>(lease.fence)).number(now)};
}

bool is_possible(const RobotsLease& lease) {
  return lease.fence != 0 && lease.fence <= static_cast<std::uint64_t>(max_count);
}

}  // namespace

Number Records::scripted_now() const {
  const auto& scripted = pool_->clock().scripted();
  return scripted ? Number(microseconds_of(scripted())) : Number();
}

Result<Records::Found> Records::read(const Rows& rows, int row, const Origin& origin,
                                     const std::optional<RecordCache::Entry>& known) {
  using Column = RobotsColumn;
  Found found{nullptr, std::string(std::to_string(rows.number(row, Column::version)))};
  const auto unreadable = [&] {
    return damaged(pool_->shown(), "the record of " + base::excerpt(origin.to_string()) + " cannot be read");
  };
  if (known && known->record != nullptr && known->version == found.version) {
    found.record = known->record;
    return found;
  }
  auto record = std::make_shared<RobotsRecord>();
  if (!read_record(rows, row, origin, *record)) return unreadable();
  if (rows.number(row, Column::has_body) != 0) {
    auto body = unpack_body(rows.number(row, Column::body_coding), rows.bytes(row, Column::body_octets),
                            rows.number(row, Column::body_size));
    // A changed byte in compressed text can give other rules that are valid, so the hash is compared.
    if (!body || rows.is_null(row, Column::body_hash) || content_hash(*body) != rows.bytes(row, Column::body_hash))
      return unreadable();
    record->body = bodies_.shared(std::make_shared<const std::string>(*std::move(body)));
  }
  found.record = std::move(record);
  return found;
}

Result<std::shared_ptr<const RobotsRecord>> Records::find(const Origin& origin) {
  const auto known = cache_.find(origin);
  if (known && known->is_current) return known->record;
  const auto begun = cache_.begin_read();
  // The body is not sent again if the version is known.
  const Number version = known && known->record != nullptr ? Number(std::atoll(known->version.c_str())) : Number(-1);
  auto answers = pool_->read({{"SELECT " + record_columns +
                                   " FROM robots LEFT JOIN body ON hash = robots.body AND version <> $2 WHERE origin = "
                                   "$1 AND outcome IS NOT NULL",
                               Parameters().bytes(origin.to_string()).number(version)}});
  if (!answers) return answers.error();
  Found found;
  if (answers.value()[0].size() != 0) {
    auto one = read(answers.value()[0], 0, origin, known);
    if (!one) return one.error();
    found = std::move(one).value();
  }
  cache_.put(origin, found.record, found.version, begun);
  return found.record;
}

Result<std::uint64_t> Records::put(const std::vector<std::pair<Origin, RobotsRecord>>& records, Keep keep,
                                   const RobotsLease* lease) {
  constexpr std::size_t piece = 500;
  if (lease != nullptr && !is_possible(*lease)) return unknown_token(lease->fence);
  // A statement changes each row once, so records of the same origin are put one after the other.
  std::vector<std::vector<const std::pair<Origin, RobotsRecord>*>> waves;
  std::map<std::string, std::size_t> times;
  for (const auto& record : records) {
    const std::string origin = record.first.to_string();
    if (origin.size() > max_key) return too_long(origin);
    const std::size_t wave = times[origin]++;
    if (wave == waves.size()) waves.emplace_back();
    waves[wave].push_back(&record);
  }
  for (auto& wave : waves) {
    std::ranges::sort(wave, {}, [](const auto* record) { return record->first.to_string(); });
  }
  const auto changed = [&] {
    if (records.size() == 1) return cache_.changed(records.front().first);
    cache_.all_changed();
  };
  changed();
  const auto limit = records.size() == 1 ? pool_->timeout() : std::chrono::milliseconds(long_limit);
  auto put = pool_->transact(limit, [&](Transaction& transaction) -> Result<std::uint64_t> {
    if (lease != nullptr) {
      auto ended = transaction.run({end_lease(*lease, scripted_now())});
      if (!ended) return ended.error();
      if (ended.value().front().changed() != 1) return unknown_token(lease->fence);
    }
    std::uint64_t count = 0;
    std::set<std::string> replaced;
    for (const auto& wave : waves) {
      for (std::size_t first = 0; first < wave.size(); first += piece) {
        RecordWriter writer;
        BodyWriter bodies;
        for (std::size_t i = first; i < std::min(first + piece, wave.size()); ++i) {
          writer.add(wave[i]->first, wave[i]->second, bodies.add(wave[i]->second));
        }
        Batch batch = bodies.empty() ? Batch() : bodies.statements();
        batch.push_back({"SELECT DISTINCT body FROM robots WHERE origin = ANY($1) AND body IS NOT NULL",
                         Parameters().byte_strings(writer.origins())});
        batch.push_back(writer.statement(keep));
        auto answers = transaction.run(std::move(batch));
        if (!answers) return answers.error();
        count += answers.value().back().changed();
        const Rows& old = answers.value()[answers.value().size() - 2];
        for (int row = 0; row < old.size(); ++row) {
          if (std::string hash(old.bytes(row, 0)); !bodies.has(hash)) replaced.insert(std::move(hash));
        }
      }
    }
    if (auto dropped = drop_orphans(transaction, {replaced.begin(), replaced.end()}); !dropped) return dropped.error();
    auto done = transaction.commit();
    if (!done) return done.error();
    return count;
  });
  changed();
  return put;
}

Result<void> Records::set_fresh_until(const Origin& origin, Timestamp time) {
  cache_.changed(origin);
  auto set = pool_->transact([&](Transaction& transaction) -> Result<void> {
    auto done = transaction.commit({{"UPDATE robots SET fresh_until = $2, version = greatest(version + 1, " +
                                         std::string(sql_now) + ") WHERE origin = $1 AND outcome IS NOT NULL",
                                     Parameters().bytes(origin.to_string()).number(microseconds_of(bounded(time)))}});
    return done ? Result<void>() : Result<void>(done.error());
  });
  cache_.changed(origin);
  return set;
}

Result<void> Records::erase(const Origin& origin) {
  cache_.changed(origin);
  auto erased = pool_->transact([&](Transaction& transaction) -> Result<void> {
    auto done = erase(transaction, origin);
    if (!done) return done.error();
    if (!done.value()) return {};
    auto committed = transaction.commit();
    return committed ? Result<void>() : Result<void>(committed.error());
  });
  cache_.changed(origin);
  return erased;
}

// Keeps the row with the fence of its lease, so that the next lease gets a greater one.
Result<bool> Records::erase(Transaction& transaction, const Origin& origin) {
  auto found = transaction.run(
      {{"SELECT body FROM robots WHERE origin = $1 AND outcome IS NOT NULL FOR UPDATE",
        Parameters().bytes(origin.to_string())},
       {"UPDATE robots SET body = NULL, outcome = NULL WHERE origin = $1", Parameters().bytes(origin.to_string())}});
  if (!found) return found.error();
  const Rows& rows = found.value().front();
  if (rows.size() == 0) return false;
  if (!rows.is_null(0, 0)) {
    if (auto dropped = drop_orphans(transaction, {std::string(rows.bytes(0, 0))}); !dropped) return dropped.error();
  }
  return true;
}

Batch Records::clear() {
  return {{"DELETE FROM robots WHERE lease_fence = 0"},
          {"UPDATE robots SET body = NULL, outcome = NULL"},
          {"DELETE FROM body"}};
}

Result<std::uint64_t> Records::prune(Timestamp before) {
  constexpr int piece = 1'000;
  cache_.all_changed();
  std::uint64_t pruned = 0;
  std::string after;
  for (int found = piece; found == piece;) {
    std::string last = after;
    const auto done = pool_->transact([&](Transaction& transaction) -> Result<std::uint64_t> {
      auto rows = transaction.run(
          {{"SELECT origin, outcome IS NOT NULL FROM robots WHERE origin > $1"
            " AND (outcome IS NULL OR fresh_until < $2)"
            " AND (lease_fence <= 0 OR lease_until <= coalesce($3, " +
                std::string(sql_now) + ")) ORDER BY origin LIMIT " + std::to_string(piece) + " FOR UPDATE SKIP LOCKED",
            Parameters().bytes(after).number(microseconds_of(bounded(before))).number(scripted_now())}});
      if (!rows) return rows.error();
      const Rows& old = rows.value().front();
      found = old.size();
      std::vector<Bytes> origins;
      std::uint64_t records = 0;
      for (int row = 0; row < old.size(); ++row) {
        last = old.bytes(row, 0);
        origins.emplace_back(last);
        if (old.number(row, 1) != 0) ++records;
      }
      if (origins.empty()) return std::uint64_t{0};
      auto deleted =
          transaction.commit({{"DELETE FROM robots WHERE origin = ANY($1)", Parameters().byte_strings(origins)}});
      if (!deleted) return deleted.error();
      return records;
    });
    if (!done) return done.error();
    pruned += done.value();
    after = last;
  }
  auto dropped = pool_->transact(long_limit, [&](Transaction& transaction) -> Result<void> {
    // No record gets a body meanwhile.
    auto done =
        transaction.commit({{"LOCK TABLE body IN SHARE ROW EXCLUSIVE MODE"},
                            {"DELETE FROM body WHERE NOT EXISTS(SELECT 1 FROM robots WHERE robots.body = body.hash)"}});
    return done ? Result<void>() : Result<void>(done.error());
  });
  cache_.all_changed();
  return dropped ? Result<std::uint64_t>(pruned) : dropped.error();
}

Result<void> Records::for_each(const std::function<bool(const Origin&, const RobotsRecord&)>& each) {
  constexpr int page = 256;
  std::string after;
  while (true) {
    auto answers = pool_->read({{"SELECT " + record_columns +
                                     " FROM robots LEFT JOIN body ON hash = robots.body WHERE origin > $1"
                                     " AND outcome IS NOT NULL ORDER BY origin LIMIT " +
                                     std::to_string(page),
                                 Parameters().bytes(after)}});
    if (!answers) return answers.error();
    const Rows& rows = answers.value().front();
    for (int row = 0; row < rows.size(); ++row) {
      after = rows.bytes(row, RobotsColumn::origin);
      const auto origin = Origin::of(after);
      if (!origin) return damaged(pool_->shown(), "\"" + base::excerpt(after) + "\" is not an origin");
      auto one = read(rows, row, *origin, std::nullopt);
      if (!one) return one.error();
      if (!each(*origin, *one.value().record)) return {};
    }
    if (rows.size() < page) return {};
  }
}

Result<LeaseAnswer> Records::lease(const Origin& origin, std::chrono::microseconds length) {
  const std::string key = origin.to_string();
  if (key.size() > max_key) return too_long(key);
  return moments_.transact([&](Transaction& transaction) -> Result<LeaseAnswer> {
    auto answers =
        transaction.run({{"INSERT INTO robots(origin) VALUES($1) ON CONFLICT DO NOTHING", Parameters().bytes(key)},
                         {"SELECT lease_fence, lease_until, lease_owner FROM robots WHERE origin = $1 FOR UPDATE",
                          Parameters().bytes(key)},
                         moments_.ask()});
    if (!answers) return answers.error();
    const Rows& row = answers.value()[1];
    if (row.size() == 0) return Error{again_code, "A record was pruned meanwhile"};
    const auto moment = moments_.read(answers.value()[2]);
    if (!moment) return moment.error();
    const std::int64_t fence = row.number(0, 0);
    const Timestamp until = timestamp_of(row.number(0, 1));
    if (fence < -max_count || fence > max_count || !is_sound(until))
      return damaged(pool_->shown(), "the lease of " + base::excerpt(key) + " cannot be read");
    const Timestamp now = moment.value().now;
    const auto is_lost = [&] {
      const std::lock_guard lock(mutex_);
      return std::ranges::find(lost_leases_, std::pair(origin, static_cast<std::uint64_t>(fence))) !=
             lost_leases_.end();
    };
    if (fence > 0 && until > now && !(is_lost() && row.number(0, 2) == moment.value().owner)) {
      const auto ended = moments_.ended(transaction, {row.number(0, 2)}, moment.value());
      if (!ended) return ended.error();
      if (ended.value().empty())
        return LeaseAnswer(Wait{until + moment.value().ahead, gate_key(origin), WaitWhy::in_flight});
    }
    const std::uint64_t next = next_fence(static_cast<std::uint64_t>(std::abs(fence)), now);
    const RobotsLease lease{next, origin, now + length};
    // Made before the commit, because afterwards nothing may fail.
    std::list<std::pair<Origin, std::uint64_t>> lost{{origin, next}};
    const auto note = [&](bool is_lost_now) noexcept {
      const std::lock_guard lock(mutex_);
      std::erase_if(lost_leases_, [&](const auto& old) { return old.first == origin; });
      if (is_lost_now) lost_leases_.splice(lost_leases_.end(), lost);
    };
    try {
      auto set = transaction.commit(
          {{"UPDATE robots SET lease_fence = $2, lease_until = $3, lease_owner = $4 WHERE origin = $1",
            Parameters()
                .bytes(key)
                .number(static_cast<std::int64_t>(next))
                .number(microseconds_of(lease.expires_at))
                .number(moment.value().owner)}});
      if (!set && set.error().code != unreachable_code) return set.error();
      note(!set);
      return set ? Result<LeaseAnswer>(lease) : set.error();
    } catch (...) {
      note(true);
      throw;
    }
  });
}

// The fence of a lease that has ended is stored negated.
Result<void> Records::release(const RobotsLease& lease) {
  if (!is_possible(lease)) return unknown_token(lease.fence);
  return pool_->transact([&](Transaction& transaction) -> Result<void> {
    auto done = transaction.commit({end_lease(lease, scripted_now())});
    if (!done) return done.error();
    if (done.value().front().changed() != 1) return unknown_token(lease.fence);
    return {};
  });
}

}  // namespace robotrules::store::postgres
