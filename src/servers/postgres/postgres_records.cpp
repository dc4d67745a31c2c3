#include "servers/postgres/postgres_records.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <utility>

#include "base/escape.hpp"
#include "servers/postgres/record_rows.hpp"
#include "servers/postgres/sql.hpp"
#include "store/gate_row.hpp"
#include "store/packing.hpp"
#include "store/record_columns.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

// Of one statement that puts bodies or records.
constexpr std::size_t max_rows = 200;
constexpr std::size_t max_bytes = std::size_t{4} << 20;

constexpr int version_column = RobotsColumn::body_hash + 1;  // of robots_columns

// Returns the statement that deletes those of the bodies that no record has any more, if no other process may be giving
// one of them to a record now; or nothing. Bodies that stay are deleted by prune().
Result<Batch> drop_orphans(Transaction& transaction, const std::vector<std::string>& hashes) {
  std::set<std::int64_t> wanted;
  for (const std::string& hash : hashes) wanted.insert(bucket_of(hash));
  if (wanted.empty()) return Batch();
  auto locked = transaction.run(
      {{sql("try_lock_buckets"), Parameters().numbers(std::vector<std::int64_t>(wanted.begin(), wanted.end()))}});
  if (!locked) return locked.error();
  std::set<std::int64_t> got;
  for (int row = 0; row < locked.value()[0].size(); ++row) got.insert(locked.value()[0].number(row, 0));
  std::vector<std::string> free;
  for (const std::string& hash : hashes) {
    if (got.contains(bucket_of(hash))) free.push_back(hash);
  }
  return Batch{{sql("delete_orphans"), Parameters().byte_strings(free)}};
}

Statement end_lease(const RobotsLease& lease, Number now) {
  return {sql("end_lease"), {lease.origin.to_string(), static_cast<std::int64_t>(lease.fence), now}};
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

}  // namespace

Number Records::scripted_now() const {
  const auto& scripted = pool_->clock().scripted();
  return scripted ? Number(count(scripted())) : Number();
}

Result<Records::Found> Records::read(const TableRow& row, const Origin& origin,
                                     const std::optional<RecordCache::Entry>& known) {
  Found found{nullptr, std::to_string(row.integer(version_column))};
  if (known && known->record != nullptr && known->version == found.version) {
    found.record = known->record;
    return found;
  }
  auto record = std::make_shared<RobotsRecord>();
  bool sound = read_record(row, origin, *record);
  if (sound && !row.is_null(RobotsColumn::body)) {
    auto body = read_body(row);
    sound = body.has_value();
    if (sound) record->body = bodies_.shared(std::make_shared<const std::string>(*std::move(body)));
  }
  if (!sound) return damaged(pool_->shown(), "the record of " + base::excerpt(origin.to_string()) + " cannot be read");
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
  auto answers = pool_->read({{sql("find_record"), Parameters({origin.to_string()}).text(version)}});
  if (!answers) return answers.error();
  Found found;
  if (answers.value()[0].size() != 0) {
    auto one = read(RowOf(answers.value()[0], 0), origin, known);
    if (!one) return one.error();
    found = std::move(one).value();
  }
  cache_.put(origin, found.record, found.version, begun);
  return found.record;
}

Result<std::uint64_t> Records::put(const std::vector<std::pair<Origin, RobotsRecord>>& records, bool newer_only,
                                   const RobotsLease* lease) {
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
  // All transactions lock in the same order (records.sql), so that they do not wait for each other in a circle.
  auto put = pool_->transact(limit, [&](Transaction& transaction) -> Result<std::uint64_t> {
    Batch batch{{sql("lock_records")}};
    if (auto added = add_bodies(transaction, bodies, batch); !added) return added.error();
    bool ends_lease = lease != nullptr;  // in the next batch
    const std::size_t lease_at = batch.size();
    if (ends_lease) batch.push_back(end_lease(*lease, scripted_now()));
    std::uint64_t count = 0;
    std::set<std::string> replaced;
    for (const auto& wave : waves) {
      for (std::size_t first = 0; first < wave.size(); first += max_rows) {
        TableWriter rows(record_columns);
        std::vector<std::string> origins;
        for (std::size_t i = first; i < std::min(first + max_rows, wave.size()); ++i) {
          const auto& [origin, record] = *wave[i].record;
          const SqlValue body = wave[i].hash ? SqlValue::blob(*wave[i].hash) : SqlValue();
          rows.add(RecordValues(origin, body, record).all());
          origins.push_back(wave[i].key);
        }
        batch.push_back({sql("bodies_of"), Parameters().byte_strings(origins)});
        batch.push_back({sql(newer_only ? "put_newer_records" : "put_records"), std::move(rows).parameters()});
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
  auto set = pool_->change({{sql("set_fresh_until"), {origin.to_string(), bounded(time)}}});
  cache_.changed(origin);
  return without_value(set);
}

Result<void> Records::erase(const Origin& origin) {
  cache_.changed(origin);
  auto erased = pool_->transact([&](Transaction& transaction) -> Result<void> {
    auto done = erase(transaction, origin);
    if (!done) return done.error();
    return done.value() ? without_value(transaction.commit()) : Result<void>();
  });
  cache_.changed(origin);
  return erased;
}

Result<bool> Records::erase(Transaction& transaction, const Origin& origin) {
  auto found =
      transaction.run({{sql("lock_body_of"), {origin.to_string()}}, {sql("erase_record"), {origin.to_string()}}});
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

Batch Records::clear() { return {{sql("clear_unleased")}, {sql("clear_records")}, {sql("clear_bodies")}}; }

Result<std::uint64_t> Records::prune(Timestamp before) {
  cache_.all_changed();
  auto pruned = in_pieces([&](const std::string& after) {
    return pool_->transact([&](Transaction& transaction) -> Result<Piece> {
      auto rows = transaction.run({{sql("lock_old_records"), {after, bounded(before), scripted_now(), piece_rows}}});
      if (!rows) return rows.error();
      const Rows& old = rows.value().front();
      Piece piece{old.size(), 0, {}};
      std::vector<std::string> origins;
      for (int row = 0; row < old.size(); ++row) {
        origins.emplace_back(old.bytes(row, 0));
        if (old.number(row, 1) != 0) ++piece.deleted;
      }
      if (origins.empty()) return piece;
      piece.last = origins.back();
      auto deleted = transaction.commit({{sql("delete_records"), Parameters().byte_strings(origins)}});
      return deleted ? Result<Piece>(std::move(piece)) : deleted.error();
    });
  });
  auto dropped = pruned ? prune_bodies() : Result<void>();
  cache_.all_changed();
  return dropped ? pruned : dropped.error();
}

// Records that get a body at the same time must not wait for long.
Result<void> Records::prune_bodies() {
  return without_value(in_pieces([&](const std::string& after) {
    return pool_->transact(long_limit, [&](Transaction& transaction) -> Result<Piece> {
      auto rows = transaction.run({{sql("find_orphans"), {after, piece_rows}}});
      if (!rows) return rows.error();
      const Rows& found = rows.value().front();
      std::vector<std::string> hashes;
      for (int row = 0; row < found.size(); ++row) hashes.emplace_back(found.bytes(row, 0));
      if (hashes.empty()) return Piece{};
      auto deletion = drop_orphans(transaction, hashes);
      if (!deletion) return deletion.error();
      auto deleted = transaction.commit(std::move(deletion).value());
      return deleted ? Result<Piece>(Piece{found.size(), 0, hashes.back()}) : deleted.error();
    });
  }));
}

Result<void> Records::for_each(const std::function<bool(const Origin&, const RobotsRecord&)>& each) {
  // Each page must come within the time limit of a call.
  constexpr std::int64_t page = 256;
  constexpr std::int64_t page_bytes = std::int64_t{4} << 20;
  std::string after;
  while (true) {
    auto answers = pool_->read({{sql("page_of_records"), {after, page_bytes, page}}});
    if (!answers) return answers.error();
    const Rows& rows = answers.value().front();
    for (int row = 0; row < rows.size(); ++row) {
      after = rows.bytes(row, RobotsColumn::origin);
      const auto origin = Origin::of(after);
      if (!origin) return damaged(pool_->shown(), "\"" + base::excerpt(after) + "\" is not an origin");
      auto one = read(RowOf(rows, row), *origin, std::nullopt);
      if (!one) return one.error();
      if (!each(*origin, *one.value().record)) return {};
    }
    if (rows.size() == 0) return {};
  }
}

Result<LeaseAnswer> Records::lease(const Origin& origin, std::chrono::microseconds length, std::uint64_t lost,
                                   LostLeases& lost_leases) {
  const std::string key = origin.to_string();
  if (key.size() > max_key) return too_long(key);
  return moments_.transact([&](Transaction& transaction) -> Result<LeaseAnswer> {
    auto answers = transaction.run({{sql("add_lease"), {key}}, {sql("lock_lease"), {key}}, moments_.ask()});
    if (!answers) return answers.error();
    const Rows& row = answers.value()[1];
    if (row.size() == 0) return Error{again_code, "A record was pruned meanwhile"};
    const auto moment = moments_.read(answers.value()[2]);
    if (!moment) return moment.error();
    const LeaseRow kept{row.number(0, 0), time_of(row.number(0, 1))};
    if (!is_sound(kept)) return damaged(pool_->shown(), "the lease of " + base::excerpt(key) + " cannot be read");
    const Timestamp now = moment.value().now;
    // It is unknown whether a lost lease was granted, and after the clock was set back another owner may have its
    // fence.
    if (kept.is_held(now, row.number(0, 2) == moment.value().owner ? lost : 0)) {
      const auto ended = moments_.ended(transaction, {row.number(0, 2)}, moment.value());
      if (!ended) return ended.error();
      if (ended.value().empty())
        return LeaseAnswer(Wait{kept.until + moment.value().ahead, gate_key(origin), WaitWhy::in_flight});
    }
    const std::string version = row.number(0, 4) != 0 ? std::string() : std::to_string(row.number(0, 3));
    const RobotsLease lease = next_lease(kept, origin, length, now);
    std::list<RobotsLease> perhaps{lease};
    try {
      auto set = grant(transaction, lease, moment.value().owner, version);
      if (!set && set.error().code == unreachable_code) lost_leases.keep(std::move(perhaps));
      return set;
    } catch (...) {
      lost_leases.keep(std::move(perhaps));
      throw;
    }
  });
}

Result<LeaseAnswer> Records::grant(Transaction& transaction, const RobotsLease& lease, std::int64_t owner,
                                   const std::string& version) {
  const auto set = transaction.commit(
      {{sql("set_lease"),
        {lease.origin.to_string(), static_cast<std::int64_t>(lease.fence), lease.expires_at, owner}}});
  if (!set) return set.error();
  // Another process may have fetched the file since this one has read the record. Then the record must be read again
  // before the file is fetched again, although its period is not over.
  const auto known = cache_.find(lease.origin);
  if (!known || known->version != version) cache_.changed(lease.origin);
  return LeaseAnswer(lease);
}

Result<void> Records::release(const RobotsLease& lease) {
  const auto done = pool_->change({end_lease(lease, scripted_now())});
  if (!done) return done.error();
  return done.value().front().changed() == 1 ? Result<void>() : unknown_token(lease.fence);
}

}  // namespace robotrules::store::postgres
