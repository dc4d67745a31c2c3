#include "servers/postgres/postgres_records.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "base/escape.hpp"
#include "servers/postgres/postgres_schema.hpp"
#include "servers/postgres/record_rows.hpp"
#include "store/gate_row.hpp"
#include "store/packing.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

// Of one statement that puts bodies or records.
constexpr std::size_t max_rows = 200;
constexpr std::size_t max_bytes = std::size_t{4} << 20;

// Returns the statement that deletes those of the bodies that no record has any more, if no other process may be giving
// one of them to a record now; or nothing. Bodies that stay are deleted by prune().
Result<Batch> drop_orphans(Transaction& transaction, const std::vector<std::string>& hashes) {
  std::set<std::int64_t> wanted;
  for (const std::string& hash : hashes) wanted.insert(bucket_of(hash));
  if (wanted.empty()) return Batch();
  const std::vector<Number> asked(wanted.begin(), wanted.end());
  auto locked =
      transaction.run({{"SELECT n FROM pg_catalog.unnest($1) AS n WHERE pg_catalog.pg_try_advisory_xact_lock(" +
                            std::to_string(lock_space) + ", n::int)",
                        Parameters().numbers(asked)}});
  if (!locked) return locked.error();
  std::set<std::int64_t> got;
  for (int row = 0; row < locked.value()[0].size(); ++row) got.insert(locked.value()[0].number(row, 0));
  std::vector<Bytes> free;
  for (const std::string& hash : hashes) {
    if (got.contains(bucket_of(hash))) free.emplace_back(hash);
  }
  return Batch{
      {"DELETE FROM body WHERE hash = ANY($1) AND NOT EXISTS(SELECT 1 FROM robots WHERE robots.body = body.hash)",
       Parameters().byte_strings(free)}};
}

Statement end_lease(const RobotsLease& lease, Number now) {
  return {
      "UPDATE robots SET lease_fence = -lease_fence, lease_owner = NULL WHERE origin = $1 AND lease_fence = $2"
      " AND lease_until > coalesce($3, " +
          std::string(sql_now) + ")",
      Parameters().bytes(lease.origin.to_string()).number(static_cast<std::int64_t>(lease.fence)).number(now)};
}

// The records of one call of put(), in the order in which their rows are locked.
struct PutPlan {
  struct Item {
    std::string key;
    const std::pair<Origin, RobotsRecord>* record;
    std::optional<std::string> hash;  // of the body
  };
  // A statement changes each row once, so records of the same origin are put one after the other.
  std::vector<std::vector<Item>> waves;
  std::map<std::string, const std::string*> bodies;  // by hash
};

Result<PutPlan> plan_of(const std::vector<std::pair<Origin, RobotsRecord>>& records) {
  PutPlan plan;
  std::map<std::string, std::size_t> times;
  for (const auto& record : records) {
    PutPlan::Item item{record.first.to_string(), &record, std::nullopt};
    if (item.key.size() > max_key) return too_long(item.key);
    if (const auto& body = record.second.body) {
      item.hash = content_hash(*body);
      plan.bodies.emplace(*item.hash, body.get());
    }
    const std::size_t wave = times[item.key]++;
    if (wave == plan.waves.size()) plan.waves.emplace_back();
    plan.waves[wave].push_back(std::move(item));
  }
  for (auto& wave : plan.waves) std::ranges::sort(wave, {}, &PutPlan::Item::key);
  return plan;
}

// Adds the bodies: appends their statements to the batch, and runs it whenever it is long enough.
Result<void> add_bodies(Transaction& transaction, const std::map<std::string, const std::string*>& bodies,
                        Batch& batch) {
  BodyWriter piece;
  for (auto body = bodies.begin(); body != bodies.end();) {
    piece.add(body->first, *body->second);
    const bool is_last = ++body == bodies.end();
    if (!is_last && piece.rows() < max_rows && piece.bytes() < max_bytes) continue;
    for (Statement& statement : piece.statements()) batch.push_back(std::move(statement));
    piece = BodyWriter();
    if (is_last) break;
    if (auto done = transaction.run(std::exchange(batch, {})); !done) return done.error();
  }
  return {};
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
  return gate_.read([&] { return find_once(origin); });
}

Result<std::shared_ptr<const RobotsRecord>> Records::find_once(const Origin& origin) {
  const auto known = cache_.find(origin);
  if (known && known->is_current) return known->record;
  const auto begun = cache_.begin_read();
  // The body is not sent again if the version is known.
  const std::string version = known && known->record != nullptr ? known->version : std::string();
  auto answers = pool_->read({{"SELECT " + robots_columns +
                                   " FROM robots LEFT JOIN body ON hash = robots.body AND version::text <> $2 WHERE "
                                   "origin = $1 AND outcome IS NOT NULL",
                               Parameters().bytes(origin.to_string()).text(version)}});
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
  if (lease != nullptr && !is_possible(*lease)) return unknown_token(lease->fence);
  const auto plan = plan_of(records);
  if (!plan) return plan.error();
  const auto& waves = plan.value().waves;
  const auto& bodies = plan.value().bodies;
  const auto changed = [&] {
    if (records.size() == 1) return cache_.changed(records.front().first);
    cache_.all_changed();
  };
  std::optional<CommitGate::Commit> commit;
  changed();
  const auto limit = records.size() == 1 ? pool_->timeout() : std::chrono::milliseconds(long_limit);
  // All transactions lock in the same order, so that they do not wait for each other in a circle: the tables as
  // Store::set_agent() does, then bodies by their hash, then records by their origin.
  auto put = pool_->transact(limit, [&](Transaction& transaction) -> Result<std::uint64_t> {
    Batch batch{{"LOCK TABLE robots IN ROW EXCLUSIVE MODE"}};
    if (auto added = add_bodies(transaction, bodies, batch); !added) return added.error();
    bool ends_lease = lease != nullptr;  // in the next batch
    const std::size_t lease_at = batch.size();
    if (ends_lease) batch.push_back(end_lease(*lease, scripted_now()));
    std::uint64_t count = 0;
    std::set<std::string> replaced;
    for (const auto& wave : waves) {
      for (std::size_t first = 0; first < wave.size(); first += max_rows) {
        RecordWriter writer;
        for (std::size_t i = first; i < std::min(first + max_rows, wave.size()); ++i) {
          writer.add(wave[i].record->first, wave[i].record->second, wave[i].hash);
        }
        batch.push_back({"SELECT DISTINCT body FROM robots WHERE origin = ANY($1) AND body IS NOT NULL",
                         Parameters().byte_strings(writer.origins())});
        batch.push_back(writer.statement(keep == Keep::the_newer));
        auto answers = transaction.run(std::exchange(batch, {}));
        if (!answers) return answers.error();
        if (ends_lease && answers.value()[lease_at].changed() != 1) return unknown_token(lease->fence);
        ends_lease = false;
        count += answers.value().back().changed();
        const Rows& old = answers.value()[answers.value().size() - 2];
        for (int row = 0; row < old.size(); ++row) {
          if (std::string hash(old.bytes(row, 0)); !bodies.contains(hash)) replaced.insert(std::move(hash));
        }
      }
    }
    auto last = drop_orphans(transaction, {replaced.begin(), replaced.end()});
    if (!last) return last.error();
    if (!commit) commit.emplace(gate_);
    auto done = transaction.commit(std::move(last).value());
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
    auto last = drop_orphans(transaction, {std::string(rows.bytes(0, 0))});
    if (!last) return last.error();
    if (auto done = transaction.run(std::move(last).value()); !done) return done.error();
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
  auto dropped = prune_bodies();
  cache_.all_changed();
  return dropped ? Result<std::uint64_t>(pruned) : dropped.error();
}

// In pieces, so that records that get a body at the same time do not wait for long.
Result<void> Records::prune_bodies() {
  constexpr int piece = 1'000;
  std::string after;
  for (int found = piece; found == piece;) {
    std::string last;
    auto done = pool_->transact(long_limit, [&](Transaction& transaction) -> Result<void> {
      auto rows =
          transaction.run({{"SELECT hash FROM body WHERE hash > $1"
                            " AND NOT EXISTS(SELECT 1 FROM robots WHERE robots.body = body.hash) ORDER BY hash LIMIT " +
                                std::to_string(piece),
                            Parameters().bytes(after)}});
      if (!rows) return rows.error();
      found = rows.value().front().size();
      if (found == 0) return {};
      std::vector<std::string> hashes;
      hashes.reserve(static_cast<std::size_t>(found));
      for (int row = 0; row < found; ++row) hashes.emplace_back(rows.value().front().bytes(row, 0));
      last = hashes.back();
      auto deletion = drop_orphans(transaction, hashes);
      if (!deletion) return deletion.error();
      auto deleted = transaction.commit(std::move(deletion).value());
      return deleted ? Result<void>() : Result<void>(deleted.error());
    });
    if (!done) return done.error();
    after = last;
  }
  return {};
}

Result<void> Records::for_each(const std::function<bool(const Origin&, const RobotsRecord&)>& each) {
  // Each page must come within the time limit of a call.
  constexpr int page = 256;
  constexpr std::int64_t page_bytes = std::int64_t{4} << 20;
  std::string after;
  while (true) {
    auto answers = pool_->read(
        {{"SELECT " + robots_columns +
              " FROM (SELECT *, sum(stored) OVER (ORDER BY origin) - stored AS before FROM (SELECT robots.*, coding,"
              " octets, size, hash, coalesce(pg_catalog.octet_length(octets), 0) AS stored FROM robots LEFT JOIN body"
              " ON hash = robots.body WHERE origin > $1 AND outcome IS NOT NULL ORDER BY origin LIMIT " +
              std::to_string(page) + ") AS page) AS robots WHERE before < $2 ORDER BY origin",
          Parameters().bytes(after).number(page_bytes)}});
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
    if (rows.size() == 0) return {};
  }
}

Result<LeaseAnswer> Records::lease(const Origin& origin, std::chrono::microseconds length) {
  const std::string key = origin.to_string();
  if (key.size() > max_key) return too_long(key);
  return moments_.transact([&](Transaction& transaction) -> Result<LeaseAnswer> {
    auto answers =
        transaction.run({{"INSERT INTO robots(origin) VALUES($1) ON CONFLICT DO NOTHING", Parameters().bytes(key)},
                         {"SELECT lease_fence, lease_until, lease_owner, version, outcome IS NULL FROM robots WHERE "
                          "origin = $1 FOR UPDATE",
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
    const std::string version = row.number(0, 4) != 0 ? std::string() : std::to_string(row.number(0, 3));
    const std::uint64_t next = next_fence(static_cast<std::uint64_t>(std::abs(fence)), now);
    return grant(transaction, {next, origin, now + length}, moment.value().owner, version);
  });
}

Result<LeaseAnswer> Records::grant(Transaction& transaction, const RobotsLease& lease, std::int64_t owner,
                                   const std::string& version) {
  // Made before the commit, because afterwards nothing may fail.
  std::list<std::pair<Origin, std::uint64_t>> lost{{lease.origin, lease.fence}};
  const auto note = [&](bool is_lost) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase_if(lost_leases_, [&](const auto& old) { return old.first == lease.origin; });
    if (is_lost) lost_leases_.splice(lost_leases_.end(), lost);
  };
  try {
    auto set =
        transaction.commit({{"UPDATE robots SET lease_fence = $2, lease_until = $3, lease_owner = $4 WHERE origin = $1",
                             Parameters()
                                 .bytes(lease.origin.to_string())
                                 .number(static_cast<std::int64_t>(lease.fence))
                                 .number(microseconds_of(lease.expires_at))
                                 .number(owner)}});
    if (!set && set.error().code != unreachable_code) return set.error();
    // Another process may have fetched the file since this one has read the record. Then the record must be read
    // again before the file is fetched again, although its period is not over.
    const auto known = cache_.find(lease.origin);
    if (set && (!known || known->version != version)) cache_.changed(lease.origin);
    note(!set);
    return set ? Result<LeaseAnswer>(lease) : set.error();
  } catch (...) {
    note(true);
    throw;
  }
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
