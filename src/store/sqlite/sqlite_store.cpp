#include <algorithm>
#include <utility>

#include <robotrules/open_store.hpp>
#include <robotrules/robots_policy.hpp>

#include "base/escape.hpp"
#include "store/gate_rows.hpp"
#include "store/lost_leases.hpp"
#include "store/machine_clock.hpp"
#include "store/request_check.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/owners.hpp"
#include "store/sqlite/query.hpp"
#include "store/sqlite/shared_database.hpp"
#include "store/sqlite/sqlite_gates.hpp"
#include "store/sqlite/sqlite_records.hpp"
#include "store/sqlite/sqlite_schema.hpp"

namespace robotrules {
namespace {

using store::Database;
using store::GateRow;
using store::GateRows;
using Keep = store::Records::Keep;
using store::Statement;

// The gate rows and owners of a file, inside a transaction.
class FileGates final : public store::GateTable {
 public:
  FileGates(store::Gates& gates, store::Owners& owners) : gates_(gates), owners_(owners) {}
  Result<void> read_row(std::string_view key, GateRow& into, std::uint64_t& fence) override {
    return gates_.read(key, into, fence);
  }
  bool has_ended(const Process& owner, Timestamp now) override { return owners_.has_ended(owner, now); }
  Process owner() const override { return owners_.self(); }

 private:
  store::Gates& gates_;
  store::Owners& owners_;
};

class SqliteStore final : public Store, private store::SharedDatabase {
 public:
  SqliteStore(std::string path, SqliteStoreOptions options) : path_(std::move(path)), options_(std::move(options)) {}

  Result<void> open() {
    auto opened = Database::open(path_, options_);
    if (!opened) return opened.error();
    auto time = store::prepare_schema(*opened.value(), options_);
    if (!time) return time.error();
    own(std::move(opened).value());
    records_.emplace(*database_);
    gates_.emplace(*database_);
    owners_.emplace(options_);
    time_ = time.value();
    return {};
  }

  Timestamp now() const override { return Timestamp(time_.offset) + since_boot(); }
  std::chrono::microseconds since_boot() const override {
    return options_.time.since_boot ? options_.time.since_boot() : store::time_since_boot();
  }

  Result<std::string> agent() const override {
    return locked([&] { return stored_agent(); });
  }

  Result<std::string> set_agent(std::string_view name, OtherAgent other) override {
    return changing([&]() -> Result<std::string> {
      auto before = stored_agent();
      if (!before || before.value() == name) return before;
      if (auto fault = store::find_fault(before.value(), std::string(name), other)) return *std::move(fault);
      ++own_changes_;
      auto set = store::set_meta(*database_, "agent", name);
      if (set) set = records_->clear();
      if (set) set = gates_->forget_visits();
      if (!set) return set.error();
      return before;
    });
  }

  Result<std::optional<RobotsPolicy>> policy() const override {
    return locked([&] { return store::kept_policy(*database_); });
  }

  Result<void> set_policy(const RobotsPolicy& policy) override {
    const std::string text = policy_text(policy);
    const auto is_kept = locked([&]() -> Result<bool> {
      const auto kept = store::meta(*database_, store::policy_name);
      if (!kept) return kept.error();
      return kept.value() == text;
    });
    if (!is_kept) return is_kept.error();
    if (is_kept.value()) return {};
    return changing([&] {
      ++own_changes_;
      return store::set_meta(*database_, store::policy_name, text);
    });
  }

  // The sum of two counters: SQLite counts the commits of other connections, and this store counts its own changes.
  Result<std::uint64_t> changes() const override {
    return locked([&] { return changes_now(); });
  }

  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    return locked([&] { return records_->find(origin.to_string(), origin); });
  }

  Result<void> put_robots(const Origin& origin, RobotsRecord robots, const RobotsLease* lease) override {
    const auto put = [&]() -> Result<void> {
      if (lease != nullptr) {
        if (auto ended = records_->end_lease(*lease, now()); !ended) return ended;
      }
      ++own_changes_;
      const auto done = records_->put(origin.to_string(), origin, robots, Keep::the_given);
      return done ? Result<void>() : done.error();
    };
    return lost_leases_.note(lease, changing(put));
  }

  Result<void> put_all(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    const auto put = put_many(records, Keep::the_given);
    return put ? Result<void>() : put.error();
  }
  Result<std::uint64_t> put_newer(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    return put_many(records, Keep::the_newer);
  }

  Result<void> set_fresh_until(const Origin& origin, Timestamp time) override {
    return changing([&] {
      ++own_changes_;
      return records_->set_fresh_until(origin.to_string(), time);
    });
  }

  Result<void> erase_robots(const Origin& origin) override {
    return changing([&] {
      ++own_changes_;
      return records_->erase(origin.to_string());
    });
  }

  Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) override {
    if (auto fault = store::find_fault(length)) return *std::move(fault);
    return lost_leases_.lease(
        origin, [&] { return changing([&] { return records_->lease(origin, length, now(), *owners_); }); },
        [this](const RobotsLease& own) { return end_lease(own); });
  }

  Result<void> release(const RobotsLease& lease) override { return lost_leases_.note(&lease, end_lease(lease)); }

  Result<ReserveAnswer> reserve(const ReserveRequest& request) override {
    if (auto fault = store::find_fault(request)) return *std::move(fault);
    const auto time = since_boot();
    return store::asked_at(time, at_gate([&](GateRows& rows) { return rows.reserve(request); }));
  }

  Result<void> complete(const Token& token, const Outcome& outcome) override {
    return store::check_held(token, at_gate([&](GateRows& rows) { return rows.complete(token, outcome); }));
  }
  Result<void> cancel(const Token& token) override {
    return store::check_held(token, at_gate([&](GateRows& rows) { return rows.cancel(token); }));
  }

  // If a call fails with an error of the file, all calls are made again one by one, so that only that call fails.
  GateAnswers call_gate(const GateCalls& calls) override {
    const auto time = since_boot();
    GateAnswers answers;
    answers.ends.reserve(calls.ends.size());
    answers.requests.reserve(calls.requests.size());
    const auto done = at_gate([&](GateRows& rows) -> Result<bool> {
      if (auto called = rows.call(calls, answers); !called) return called.error();
      const auto changes = changes_now();
      if (changes) answers.changes = changes.value();
      return true;
    });
    return done ? store::asked_at(time, std::move(answers)) : Store::call_gate(calls);
  }

  Result<GateState> gate(std::string_view key) const override {
    return locked([&]() -> Result<GateState> {
      GateRow row;
      std::uint64_t fence = 0;
      if (auto read = gates_->read(key, row, fence); !read) return read.error();
      return store::state_of(row, now());
    });
  }

  Result<std::optional<Timestamp>> just_visited() const override { return time_.just_visited; }

  Result<void> add_visit(const Origin& origin, Timestamp at) override {
    const std::string key = gate_key(origin);
    return changing([&]() -> Result<void> {
      GateRow row;
      std::uint64_t fence = 0;
      if (auto read = gates_->read(key, row, fence); !read) return read;
      store::add_visit(row, at, now());
      return gates_->write(key, row, fence);
    });
  }

  Result<void> restore_gate(std::string_view name, Timestamp penalty_until, const Visits& visits) override {
    const std::string key(name);
    return changing([&]() -> Result<void> {
      GateRow row;
      std::uint64_t fence = 0;
      if (auto read = gates_->read(key, row, fence); !read) return read;
      store::restore(row, penalty_until, visits.count, visits.last, now());
      return gates_->write(key, row, fence);
    });
  }

  Result<bool> forget(const Origin& origin) override {
    const std::string key = gate_key(origin);
    return changing([&]() -> Result<bool> {
      ++own_changes_;
      const auto record = records_->find(origin.to_string(), origin);
      if (!record) return record.error();
      if (auto erased = records_->erase(origin.to_string()); !erased) return erased.error();
      GateRow row;
      std::uint64_t fence = 0;
      if (auto read = gates_->read(key, row, fence); !read) return read.error();
      if (!store::forget_penalty(row)) return record.value() != nullptr;
      if (auto written = gates_->write(key, row, fence); !written) return written.error();
      return true;
    });
  }

  Result<Visits> visits(const Origin& origin) const override {
    auto state = gate(gate_key(origin));
    if (!state) return state.error();
    return Visits{state.value().visits, state.value().last_visit};
  }

  Result<void> for_each_origin(const std::function<bool(const Origin&, const RobotsRecord&)>& each) const override {
    // A page of names at a time, so that the file is not held while the caller works.
    std::string after;
    while (true) {
      std::vector<std::pair<Origin, std::shared_ptr<const RobotsRecord>>> found;
      auto read = locked([&]() -> Result<void> {
        const auto names = records_->names(after);
        if (!names) return names.error();
        for (const std::string& name : names.value()) {
          after = name;
          const auto origin = Origin::of(name);
          if (!origin) return database_->damaged(" (\"" + base::excerpt(name) + "\" is not an origin)");
          auto one = records_->find(name, *origin);
          if (!one) return one.error();
          if (one.value() != nullptr) found.emplace_back(*origin, std::move(one).value());
        }
        if (names.value().size() < store::Records::page) after.clear();
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
      ++own_changes_;
      const auto robots = records_->prune(before, now());
      if (!robots) return robots.error();
      const auto gates = gates_->prune(before, now());
      if (!gates) return gates.error();
      return Pruned{robots.value(), gates.value()};
    });
  }

  Result<StoreStats> stats() const override {
    return locked([&]() -> Result<StoreStats> {
      struct Column {
        enum : int { origins, bodies, body_bytes, gates, stored_bytes };
      };
      StoreStats stats;
      auto read = store::run(*database_,
                             "SELECT (SELECT count(*) FROM robots WHERE outcome IS NOT NULL),"
                             " (SELECT count(*) FROM body), (SELECT coalesce(sum(size), 0) FROM body),"
                             " (SELECT count(*) FROM gate),"
                             " (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)",
                             {}, [&](const Statement& row) {
                               const auto number = [&row](int column) {
                                 return static_cast<std::uint64_t>(row.integer(column));
                               };
                               stats.origins = number(Column::origins);
                               stats.bodies = number(Column::bodies);
                               stats.body_bytes = number(Column::body_bytes);
                               stats.gates = number(Column::gates);
                               stats.stored_bytes = number(Column::stored_bytes);
                             });
      if (!read) return read.error();
      return stats;
    });
  }

 private:
  Result<void> end_lease(const RobotsLease& lease) {
    return changing([&] { return records_->end_lease(lease, now()); });
  }

  Result<std::uint64_t> put_many(const std::vector<std::pair<Origin, RobotsRecord>>& records, Keep keep) {
    return changing([&]() -> Result<std::uint64_t> {
      ++own_changes_;
      std::uint64_t count = 0;
      for (const auto& [origin, robots] : records) {
        const auto put = records_->put(origin.to_string(), origin, robots, keep);
        if (!put) return put.error();
        if (put.value()) ++count;
      }
      return count;
    });
  }

  Result<std::string> stored_agent() const { return store::meta(*database_, "agent"); }

  Result<std::uint64_t> changes_now() const {
    std::int64_t version = 0;
    auto read = store::run(*database_, "PRAGMA data_version", {},
                           [&](const Statement& row) { version = row.integer(store::only_column); });
    if (!read) return read.error();
    return (static_cast<std::uint64_t>(version) << 32) + own_changes_;
  }

  // Runs `body(rows)` and writes the rows, in one transaction.
  template <class Body>
  auto at_gate(Body body) -> decltype(body(std::declval<GateRows&>())) {
    return changing([&]() -> decltype(body(std::declval<GateRows&>())) {
      FileGates gates(*gates_, *owners_);
      GateRows rows(gates, now(), time_.just_visited);
      auto answer = body(rows);
      if (!answer) return answer;
      const auto written = rows.write([this](std::string_view key, const GateRow& row, std::uint64_t fence) {
        return gates_->write(key, row, fence);
      });
      if (!written) return written.error();
      return answer;
    });
  }

  std::string path_;
  SqliteStoreOptions options_;
  store::FileTime time_;
  std::uint64_t own_changes_ = 0;
  std::optional<store::Records> records_;
  std::optional<store::Gates> gates_;
  std::optional<store::Owners> owners_;
  store::LostLeases lost_leases_;
};

}  // namespace

Result<std::shared_ptr<Store>> open_sqlite_store(const std::string& path, SqliteStoreOptions options) {
  auto made = std::make_shared<SqliteStore>(path, std::move(options));
  if (auto opened = made->open(); !opened) return opened.error();
  return std::shared_ptr<Store>(std::move(made));
}

}  // namespace robotrules
