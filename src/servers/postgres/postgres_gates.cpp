#include "servers/postgres/postgres_gates.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/escape.hpp"
#include "servers/postgres/sql.hpp"
#include "store/machine_clock.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

// The changed rows of a transaction, as one statement.
Statement write_statement(TableWriter rows) { return {sql("write_gates"), std::move(rows).parameters(), true}; }

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
  auto answers = transaction.run(
      {{sql("add_gates"), Parameters().array(std::move(made)), true},
       {sql(wanted == Wanted::the_free ? "lock_free_gates" : "lock_gates"), Parameters().array(std::move(asked)), true},
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
    read.is_damaged = !read_gate(RowOf(rows, row), read.row, read.fence);
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
  TableWriter writer(gate_columns);
  std::vector<bool> is_used(locked.rows.size());
  auto written = rows.write([&](std::string_view key, const GateRow& row, std::uint64_t fence) -> Result<void> {
    writer.add(GateValues(key, row, fence).all());
    is_used[static_cast<std::size_t>(locked.find(key) - locked.rows.data())] = true;
    return {};
  });
  if (!written) return written;
  if (writer.empty()) return {};
  Batch batch{write_statement(std::move(writer))};
  BytesArray unused;
  for (std::size_t i = 0; i < is_used.size(); ++i) {
    if (locked.rows[i].is_new && !is_used[i]) unused.add(locked.rows[i].key);
  }
  if (!unused.empty()) batch.push_back({sql("delete_gates"), Parameters().array(std::move(unused))});
  return without_value(transaction.commit(std::move(batch)));
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
  return without_value(call({}));
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

Result<bool> Gates::change(const std::string& key, const GateChange& change, const Also& also) {
  if (key.size() > max_key) return too_long(key);
  return moments_.transact([&](Transaction& transaction) -> Result<bool> {
    auto locked = lock(transaction, {key});
    if (!locked) return locked.error();
    GateRow row;
    std::uint64_t fence = 0;
    if (auto read = locked.value().read_row(key, row, fence); !read) return read.error();
    const auto done = also ? also(transaction) : Result<bool>(false);
    if (!done) return done;
    Batch batch;
    const bool is_changed = apply(change, row, locked.value().moment.now);
    if (is_changed) {
      TableWriter writer(gate_columns);
      writer.add(GateValues(key, row, fence).all());
      batch.push_back(write_statement(std::move(writer)));
    } else if (locked.value().rows.front().is_new) {
      batch.push_back({sql("delete_gates"), Parameters().byte_strings(std::array{key})});
    }
    if (!is_changed && !done.value()) return false;
    const auto committed = transaction.commit(std::move(batch));
    return committed ? Result<bool>(true) : committed.error();
  });
}

Result<GateState> Gates::state(std::string_view key) const {
  auto answers = pool_->read({{sql("find_gate"), {key}}, {sql("read_now")}});
  if (!answers) return answers.error();
  const Timestamp server_now = time_of(answers.value()[1].number(0, 0));
  pool_->clock().set(server_now);
  GateRow row;
  std::uint64_t fence = 0;
  if (answers.value()[0].size() != 0 && !read_gate(RowOf(answers.value()[0], 0), row, fence))
    return damaged(pool_->shown(), "the gate of \"" + base::excerpt(key) + "\" cannot be read");
  const auto& scripted = pool_->clock().scripted();
  return state_of(row, scripted ? scripted() : server_now);
}

// Rows that are locked are in use.
Result<std::uint64_t> Gates::prune(Timestamp before) {
  return in_pieces([&](std::string& after) {
    return moments_.transact([&](Transaction& transaction) -> Result<Piece> {
      auto answers = transaction.run({{sql("lock_unvisited_gates"), {after, before, piece_rows}}, moments_.ask()});
      if (!answers) return answers.error();
      const auto moment = moments_.read(answers.value()[1]);
      if (!moment) return moment.error();
      const Rows& rows = answers.value()[0];
      Piece piece{rows.size(), 0, {}};
      std::vector<std::string> old;
      for (int row = 0; row < rows.size(); ++row) {
        piece.last = rows.bytes(row, GateColumn::key);
        GateRow gate;
        std::uint64_t fence = 0;
        if (!read_gate(RowOf(rows, row), gate, fence))
          return damaged(pool_->shown(), "the gate of \"" + base::excerpt(piece.last) + "\" cannot be read");
        if (is_old(gate, before, moment.value().now)) old.push_back(piece.last);
      }
      if (old.empty()) return piece;
      auto deleted = transaction.commit({{sql("delete_gates"), Parameters().byte_strings(old)}});
      if (!deleted) return deleted.error();
      piece.deleted = deleted.value().front().changed();
      return piece;
    });
  });
}

}  // namespace robotrules::store::postgres
