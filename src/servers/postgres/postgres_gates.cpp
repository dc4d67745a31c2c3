#include "servers/postgres/postgres_gates.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "base/escape.hpp"
#include "servers/postgres/postgres_schema.hpp"
#include "store/machine_clock.hpp"
#include "store/packing.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

struct GateColumn {
  enum : int {
    key,
    interval,
    source,
    armed_at,
    penalty_until,
    incident_at,
    incidents,
    visits,
    last_visit,
    fence,
    latency,
    holds,
    recovery,
    failures,
    failing_since,
    failed_at,
  };
};

const std::string gate_columns =
    "key, interval, source, armed_at, penalty_until, incident_at, incidents, visits, last_visit, fence, latency, holds,"
    " recovery, failures, failing_since, failed_at";

// Returns false if the row is damaged: a value is out of range.
bool read_gate(const Rows& rows, int row, GateRow& into, std::uint64_t& fence) {
  using Column = GateColumn;
  const auto number = [&](int column) { return rows.number(row, column); };
  const auto within = [&](int column, std::int64_t max) { return number(column) >= 0 && number(column) <= max; };
  if (!within(Column::source, 3) || !within(Column::incidents, std::numeric_limits<std::uint32_t>::max()) ||
      !within(Column::visits, max_count) || !within(Column::fence, max_count) ||
      !within(Column::recovery, max_failures) || !within(Column::failures, max_failures)) {
    return false;
  }
  auto holds = unpack_holds(rows.bytes(row, Column::holds));
  if (!holds) return false;
  into.interval = number(Column::interval);
  into.source = static_cast<IntervalSource>(number(Column::source));
  into.armed_at = timestamp_of(number(Column::armed_at));
  into.penalty_until = timestamp_of(number(Column::penalty_until));
  into.incident_at = timestamp_of(number(Column::incident_at));
  into.incidents = static_cast<std::uint32_t>(number(Column::incidents));
  into.visits = static_cast<std::uint64_t>(number(Column::visits));
  into.last_visit = std::nullopt;
  if (!rows.is_null(row, Column::last_visit)) into.last_visit = timestamp_of(number(Column::last_visit));
  into.latency = number(Column::latency);
  into.recovery = static_cast<std::uint32_t>(number(Column::recovery));
  into.failures = static_cast<std::uint32_t>(number(Column::failures));
  into.failing_since = timestamp_of(number(Column::failing_since));
  into.failed_at = timestamp_of(number(Column::failed_at));
  into.holds = *std::move(holds);
  fence = static_cast<std::uint64_t>(number(Column::fence));
  return is_sound(into, fence);
}

// The changed rows of a transaction, as one statement.
class RowWriter {
 public:
  void add(std::string_view key, const GateRow& row, std::uint64_t fence) {
    keys_.add(key);
    const std::int64_t values[] = {row.interval,
                                   static_cast<std::int64_t>(row.source),
                                   microseconds_of(row.armed_at),
                                   microseconds_of(row.penalty_until),
                                   microseconds_of(row.incident_at),
                                   std::int64_t{row.incidents},
                                   static_cast<std::int64_t>(row.visits)};
    for (std::size_t i = 0; i < std::size(values); ++i) numbers_[i].add(values[i]);
    numbers_[7].add(row.last_visit ? Number(microseconds_of(*row.last_visit)) : Number());
    numbers_[8].add(static_cast<std::int64_t>(fence));
    numbers_[9].add(row.latency);
    const std::string holds = pack_holds(row.holds);
    holds_.add(holds.empty() ? std::nullopt : std::optional<std::string_view>(holds));
    const std::int64_t troubles[] = {std::int64_t{row.recovery}, std::int64_t{row.failures},
                                     microseconds_of(row.failing_since), microseconds_of(row.failed_at)};
    for (std::size_t i = 0; i < std::size(troubles); ++i) troubles_[i].add(troubles[i]);
  }
  bool empty() const noexcept { return keys_.empty(); }
  Statement statement() && {
    Parameters parameters;
    parameters.byte_strings(std::move(keys_));
    for (NumberArray& column : numbers_) parameters.numbers(std::move(column));
    parameters.byte_strings(std::move(holds_));
    for (NumberArray& column : troubles_) parameters.numbers(std::move(column));
    return {
        "UPDATE gate SET interval = n.interval, source = n.source, armed_at = n.armed_at,"
        " penalty_until = n.penalty_until, incident_at = n.incident_at, incidents = n.incidents,"
        " visits = n.visits, last_visit = n.last_visit, fence = n.fence, latency = n.latency, holds = n.holds,"
        " recovery = n.recovery, failures = n.failures, failing_since = n.failing_since, failed_at = n.failed_at"
        " FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) AS n(" +
            gate_columns + ") WHERE gate.key = n.key",
        std::move(parameters), true};
  }

 private:
  BytesArray keys_;
  NumberArray numbers_[10];  // from interval to latency
  BytesArray holds_;
  NumberArray troubles_[4];  // from recovery to failed_at
};

const std::string* find_long(const std::vector<std::string>& keys) {
  const auto found = std::ranges::find_if(keys, [](const std::string& key) { return key.size() > max_key; });
  return found == keys.end() ? nullptr : &*found;
}

// The keys of the calls that will be made.
std::vector<std::string_view> keys_of(const GateCalls& calls) {
  std::vector<std::string_view> keys;
  keys.reserve(calls.ends.size() + calls.requests.size());
  const auto add = [&keys](const std::vector<std::string>& added) {
    if (find_long(added) == nullptr) keys.insert(keys.end(), added.begin(), added.end());
  };
  for (const GateCalls::Finish& end : calls.ends) add(end.token.keys);
  for (const auto& request : calls.requests) {
    if (!find_fault(*request)) add(request->keys);
  }
  return keys;
}

// `ahead`: Moment::ahead.
void lengthen_waits(GateAnswers& answers, std::chrono::microseconds ahead) {
  for (auto& answer : answers.requests) {
    if (!answer) continue;
    if (auto* wait = std::get_if<Wait>(&answer.value())) wait->until += ahead;
    if (auto* blocked = std::get_if<Blocked>(&answer.value())) blocked->until += ahead;
  }
}

}  // namespace

// The rows that a transaction has locked.
class Gates::Locked final : public GateTable {
 public:
  struct Row {
    std::string_view key;  // one of those that lock() was asked for
    GateRow row = {};
    std::uint64_t fence = 0;
    bool is_new = false;  // there was no row before
    bool is_damaged = false;
  };

  const Row* find(std::string_view key) const {
    const auto found = std::ranges::lower_bound(rows, key, {}, &Row::key);
    return found == rows.end() || found->key != key ? nullptr : &*found;
  }
  Row* find(std::string_view key) { return const_cast<Row*>(std::as_const(*this).find(key)); }

  // Gives the row away, because it is read once (GateRows).
  Result<void> read_row(std::string_view key, GateRow& into, std::uint64_t& fence) override {
    Row* const row = find(key);
    if (row == nullptr || row->is_damaged)
      return damaged(shown, "the gate of \"" + base::excerpt(key) + "\" cannot be read");
    into = std::move(row->row);
    fence = std::max(fence, row->fence);
    return {};
  }
  bool has_ended(const Process& owner, Timestamp) override {
    return std::ranges::find(ended_owners, Owner::id_in(owner)) != ended_owners.end();
  }
  bool has_all(const std::vector<std::string>& keys) const {
    return std::ranges::all_of(keys, [this](const std::string& key) { return find(key) != nullptr; });
  }
  bool has_damage(const std::vector<std::string>& keys) const {
    return std::ranges::any_of(keys, [this](const std::string& key) { return find(key)->is_damaged; });
  }
  Process owner() const override { return Owner::in_hold(moment.owner, number); }

  std::string shown;
  std::chrono::microseconds received{};  // since boot: when `moment` came
  std::vector<Row> rows;                 // in the order of their keys
  std::vector<std::int64_t> ended_owners;
  Moment moment;
  std::int64_t number = 0;  // of the transaction
};

Result<Gates::Locked> Gates::lock(Transaction& transaction, std::vector<std::string_view> keys, Wanted wanted) {
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  BytesArray asked;
  for (const std::string_view key : keys) asked.add(key);
  // To make the row of a key, one must wait for others that make it too.
  BytesArray made = wanted == Wanted::all ? asked : BytesArray();
  auto answers = transaction.run({{"INSERT INTO gate(key) SELECT key FROM pg_catalog.unnest($1) AS n(key) ORDER BY key "
                                   "ON CONFLICT DO NOTHING RETURNING key",
                                   Parameters().byte_strings(std::move(made)), true},
                                  {"SELECT " + gate_columns + " FROM gate WHERE key = ANY($1) ORDER BY key FOR UPDATE" +
                                       (wanted == Wanted::the_free ? " SKIP LOCKED" : ""),
                                   Parameters().byte_strings(std::move(asked)), true},
                                  moments_.ask()});
  if (!answers) return answers.error();
  const auto received = time_since_boot();
  const Rows& rows = answers.value()[1];
  // A row that was there when this transaction began may have been pruned since.
  if (wanted == Wanted::all && rows.size() != static_cast<int>(keys.size()))
    return Error{again_code, "A gate was pruned meanwhile"};
  auto moment = moments_.read(answers.value()[2]);
  if (!moment) return moment.error();

  Locked locked;
  locked.shown = pool_->shown();
  locked.received = received;
  locked.moment = moment.value();
  locked.number = ++transactions_;
  locked.rows.reserve(keys.size());
  std::vector<std::int64_t> owners;
  auto key = keys.begin();
  for (int row = 0; row < rows.size(); ++row) {
    key = std::find(key, keys.end(), rows.bytes(row, GateColumn::key));  // bytes have the same order there
    if (key == keys.end()) return damaged(pool_->shown(), "the table gate has a key that was not asked for");
    Locked::Row& read = locked.rows.emplace_back(Locked::Row{*key});
    read.is_damaged = !read_gate(rows, row, read.row, read.fence);
    for (const Hold& hold : read.row.holds) owners.push_back(Owner::id_in(hold.owner));
  }
  for (int row = 0; row < answers.value()[0].size(); ++row) {
    if (auto* const made_row = locked.find(answers.value()[0].bytes(row, 0))) made_row->is_new = true;
  }
  auto ended = moments_.ended(transaction, std::move(owners), locked.moment);
  if (!ended) return ended.error();
  locked.ended_owners = std::move(ended).value();
  return locked;
}

Result<void> Gates::write(Transaction& transaction, const Locked& locked, const GateRows& rows) {
  RowWriter writer;
  std::vector<bool> is_used(locked.rows.size());
  auto written = rows.write([&](std::string_view key, const GateRow& row, std::uint64_t fence) -> Result<void> {
    writer.add(key, row, fence);
    is_used[static_cast<std::size_t>(locked.find(key) - locked.rows.data())] = true;
    return {};
  });
  if (!written) return written;
  if (writer.empty()) return {};
  Batch batch{std::move(writer).statement()};
  BytesArray unused;
  for (std::size_t i = 0; i < is_used.size(); ++i) {
    if (locked.rows[i].is_new && !is_used[i]) unused.add(locked.rows[i].key);
  }
  if (!unused.empty())
    batch.push_back({"DELETE FROM gate WHERE key = ANY($1)", Parameters().byte_strings(std::move(unused))});
  auto done = transaction.commit(std::move(batch));
  return done ? Result<void>() : Result<void>(done.error());
}

// The grants of a transaction, in its answers. If it is not known whether it was committed, or if its answers come too
// late, the callers are not told of their grants, and lose() keeps these until they are withdrawn.
class Gates::NewGrants {
 public:
  // Takes the memory for lose() before the commit, because afterwards nothing may fail.
  NewGrants(Gates& gates, const Process& owner, GateAnswers& answers) : gates_(gates), answers_(answers), lost_(1) {
    lost_.front().owner = owner;
    lost_.front().tokens.reserve(answers.requests.size());
  }
  void lose() noexcept {
    for (auto& answer : answers_.requests) {
      if (!answer) continue;
      if (auto* grant = std::get_if<Granted>(&answer.value())) lost_.front().tokens.push_back(std::move(grant->token));
    }
    if (!lost_.front().tokens.empty()) gates_.add_lost_grants(std::move(lost_));
  }

 private:
  Gates& gates_;
  GateAnswers& answers_;
  std::list<LostGrants> lost_;
};

Result<void> Gates::withdraw(const std::vector<LostGrants>& lost, const Locked& locked, GateRows& rows) {
  for (const LostGrants& grants : lost) {
    for (const Token& token : grants.tokens) {
      if (locked.has_damage(token.keys)) continue;
      if (auto withdrawn = rows.withdraw(token, grants.owner); !withdrawn) return withdrawn;
    }
  }
  return {};
}

// A process that was stopped in a transaction may hold rows until the server ends it. Calls for other rows do not wait
// for those.
Result<GateAnswers> Gates::call(const GateCalls& calls) {
  bool is_locked = false;
  auto answers = call(calls, Wanted::all, is_locked);
  return !answers && is_locked ? call(calls, Wanted::the_free, is_locked) : answers;
}

Result<GateAnswers> Gates::call(const GateCalls& calls, Wanted wanted, bool& is_locked) {
  return moments_.transact([&](Transaction& transaction) -> Result<GateAnswers> {
    is_locked = false;
    const auto lost = wanted == Wanted::all ? lost_grants() : std::vector<LostGrants>();
    auto keys = keys_of(calls);
    for (const LostGrants& grants : lost) {
      for (const Token& token : grants.tokens) keys.insert(keys.end(), token.keys.begin(), token.keys.end());
    }
    const auto begun = time_since_boot();
    auto locked = lock(transaction, std::move(keys), wanted);
    if (!locked) {
      is_locked = locked.error().code == locked_code;
      return locked.error();
    }
    const auto received = locked.value().received;
    const Moment& moment = locked.value().moment;
    // Another process may still send the request of a grant that was lost.
    auto just_visited = moment.just_visited;
    if (just_visited) *just_visited += max_grant_age;
    GateRows rows(locked.value(), moment.now, just_visited);
    if (auto withdrawn = withdraw(lost, locked.value(), rows); !withdrawn) return withdrawn.error();
    const auto refuse = [&](const std::vector<std::string>& used) -> std::optional<Error> {
      if (const std::string* key = find_long(used)) return too_long(*key);
      if (!locked.value().has_all(used)) return in_use(used.front());
      return std::nullopt;
    };
    GateAnswers answers;
    if (auto called = rows.call(calls, answers, refuse); !called) return called.error();
    lengthen_waits(answers, moment.ahead);
    NewGrants granted(*this, locked.value().owner(), answers);
    try {
      if (auto written = write(transaction, locked.value(), rows); !written) {
        if (written.error().code == unreachable_code) granted.lose();
        return written.error();
      }
    } catch (...) {
      granted.lose();
      throw;
    }
    forget_lost_grants(lost);
    // The server's time was taken between `begun` and `received`.
    const auto age = std::min(moment.ahead, received - begun) + (time_since_boot() - received);
    if (age > max_grant_age) {
      granted.lose();
      for (auto& answer : answers.requests) {
        if (answer && std::holds_alternative<Granted>(answer.value()))
          answer = unreachable(pool_->shown(), "its answer took longer than two seconds");
      }
    }
    return answers;
  });
}

Error Gates::in_use(std::string_view key) const {
  return unreachable(pool_->shown(), "another process holds the gate of \"" + base::excerpt(key) + "\"");
}

Result<void> Gates::withdraw_lost_grants() {
  if (lost_grants().empty()) return {};
  auto done = call({});
  return done ? Result<void>() : Result<void>(done.error());
}

std::vector<Gates::LostGrants> Gates::lost_grants() {
  const std::lock_guard lock(mutex_);
  return {lost_grants_.begin(), lost_grants_.end()};
}

void Gates::add_lost_grants(std::list<LostGrants> lost) noexcept {
  const std::lock_guard lock(mutex_);
  lost_grants_.splice(lost_grants_.end(), lost);
}

void Gates::forget_lost_grants(const std::vector<LostGrants>& withdrawn) {
  if (withdrawn.empty()) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(lost_grants_, [&](const LostGrants& grants) {
    return std::ranges::find(withdrawn, grants.owner, &LostGrants::owner) != withdrawn.end();
  });
}

Result<bool> Gates::change(const std::string& key, const Change& change, const Also& also) {
  if (key.size() > max_key) return too_long(key);
  return moments_.transact([&](Transaction& transaction) -> Result<bool> {
    auto locked = lock(transaction, {key});
    if (!locked) return locked.error();
    GateRow row;
    std::uint64_t fence = 0;
    if (auto read = locked.value().read_row(key, row, fence); !read) return read.error();
    bool is_changed = false;
    if (also) {
      const auto done = also(transaction);
      if (!done) return done.error();
      is_changed = done.value();
    }
    Batch batch;
    if (change(row, locked.value().moment.now)) {
      RowWriter writer;
      writer.add(key, row, fence);
      batch.push_back(std::move(writer).statement());
      is_changed = true;
    } else if (locked.value().rows.front().is_new) {
      batch.push_back({"DELETE FROM gate WHERE key = $1", Parameters().bytes(key)});
    }
    if (!is_changed) return false;
    auto done = transaction.commit(std::move(batch));
    if (!done) return done.error();
    return true;
  });
}

Result<GateState> Gates::state(std::string_view key) const {
  auto answers = pool_->read({{"SELECT " + gate_columns + " FROM gate WHERE key = $1", Parameters().bytes(key)},
                              {"SELECT " + std::string(sql_now)}});
  if (!answers) return answers.error();
  const Timestamp server_now = timestamp_of(answers.value()[1].number(0, 0));
  pool_->clock().set(server_now);
  GateRow row;
  std::uint64_t fence = 0;
  if (answers.value()[0].size() != 0 && !read_gate(answers.value()[0], 0, row, fence))
    return damaged(pool_->shown(), "the gate of \"" + base::excerpt(key) + "\" cannot be read");
  const auto& scripted = pool_->clock().scripted();
  return state_of(row, scripted ? scripted() : server_now);
}

// In pieces, so that no transaction locks many rows for long. Rows that are locked are in use.
Result<std::uint64_t> Gates::prune(Timestamp before) {
  constexpr int piece = 1'000;
  std::uint64_t pruned = 0;
  std::string after;
  for (int found = piece; found == piece;) {
    std::string last = after;
    const auto done = moments_.transact([&](Transaction& transaction) -> Result<std::uint64_t> {
      auto answers = transaction.run({{"SELECT " + gate_columns +
                                           " FROM gate WHERE key > $1 AND (last_visit IS NULL OR last_visit < $2)"
                                           " ORDER BY key LIMIT " +
                                           std::to_string(piece) + " FOR UPDATE SKIP LOCKED",
                                       Parameters().bytes(after).number(microseconds_of(before))},
                                      moments_.ask()});
      if (!answers) return answers.error();
      const auto moment = moments_.read(answers.value()[1]);
      if (!moment) return moment.error();
      const Rows& rows = answers.value()[0];
      found = rows.size();
      std::vector<Bytes> old;
      for (int row = 0; row < rows.size(); ++row) {
        last = rows.bytes(row, GateColumn::key);
        GateRow gate;
        std::uint64_t fence = 0;
        if (!read_gate(rows, row, gate, fence))
          return damaged(pool_->shown(), "the gate of \"" + base::excerpt(last) + "\" cannot be read");
        if (!is_live(gate, moment.value().now)) old.emplace_back(last);
      }
      if (old.empty()) return std::uint64_t{0};
      auto deleted = transaction.commit({{"DELETE FROM gate WHERE key = ANY($1)", Parameters().byte_strings(old)}});
      if (!deleted) return deleted.error();
      return deleted.value().front().changed();
    });
    if (!done) return done.error();
    pruned += done.value();
    after = last;
  }
  return pruned;
}

}  // namespace robotrules::store::postgres
