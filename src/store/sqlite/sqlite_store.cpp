#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include <robotrules/sqlite_store.hpp>

#include "store/machine_clock.hpp"
#include "store/printable.hpp"
#include "store/request_check.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/gates.hpp"
#include "store/sqlite/query.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/schema.hpp"

namespace robotrules {
namespace {

using store::Database;
using store::GateRow;
using Keep = store::Records::Keep;
using store::Statement;

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
    records_.emplace(*database_);
    gates_.emplace(*database_);
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

  Result<std::string> set_agent(std::string_view name, OtherAgent other) override {
    return changing([&]() -> Result<std::string> {
      auto before = agent_kept();
      if (!before || before.value() == name) return before;
      if (auto fault = store::find_fault(before.value(), std::string(name), other)) return *std::move(fault);
      ++own_changes_;
      auto set = store::run(*database_, "INSERT OR REPLACE INTO meta(name, value) VALUES('agent', ?1)",
                            [&](Statement& s) { s.bind(1, name); });
      if (set) set = records_->clear();
      if (set) set = gates_->forget_visits();
      if (!set) return set.error();
      return before;
    });
  }

  // SQLite counts what others commit, this store what it does itself.
  Result<std::uint64_t> changes() const override {
    return locked([&]() -> Result<std::uint64_t> {
      std::int64_t version = 0;
      auto read =
          store::run(*database_, "PRAGMA data_version", {}, [&](const Statement& row) { version = row.integer(0); });
      if (!read) return read.error();
      return (static_cast<std::uint64_t>(version) << 32) + own_changes_;
    });
  }

  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    return locked([&] { return records_->find(origin.to_string(), origin); });
  }

  Result<void> put_robots(const Origin& origin, RobotsRecord robots, const RobotsLease* lease) override {
    return changing([&]() -> Result<void> {
      if (lease != nullptr) {
        if (auto ended = records_->end_lease(*lease, now()); !ended) return ended;
      }
      ++own_changes_;
      const auto put = records_->put(origin.to_string(), origin, robots, Keep::the_given);
      return put ? Result<void>() : put.error();
    });
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
    return changing([&] { return records_->lease(origin, length, now()); });
  }

  Result<void> release(const RobotsLease& lease) override {
    return changing([&] { return records_->end_lease(lease, now()); });
  }

  Result<ReserveAnswer> reserve(const ReserveRequest& request) override {
    if (auto fault = store::find_fault(request)) return *std::move(fault);
    return changing([&]() -> Result<ReserveAnswer> {
      const Timestamp time = now();
      std::vector<GateRow> rows(request.keys.size());
      std::uint64_t fence = 0;
      store::Refusal refusal;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        auto read = gates_->read(request.keys[i], rows[i], fence);
        if (!read) return read.error();
        refusal.add(request.keys[i], store::find_obstacle(rows[i], request, time, time_.just_visited));
      }
      for (std::size_t i = 0; refusal.stands() && i < rows.size(); ++i) {
        if (!rows[i].moved) continue;
        if (auto written = gates_->write(request.keys[i], rows[i], fence); !written) return written.error();
      }
      if (refusal.stands()) return refusal.answer(time);
      fence = store::next_fence(fence, time);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        store::grant(rows[i], request, fence, time);
        if (auto written = gates_->write(request.keys[i], rows[i], fence); !written) return written.error();
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
      const auto read = locked([&]() -> Result<void> {
        const auto names = records_->names(after);
        if (!names) return names.error();
        for (const std::string& name : names.value()) {
          after = name;
          const auto origin = Origin::of(name);
          if (!origin) return database_->damaged(" (\"" + store::printable(name) + "\" is no origin)");
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
                               stats = {number(0), number(1), number(2), number(3), number(4)};
                             });
      if (!read) return read.error();
      return stats;
    });
  }

 private:
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

  Result<std::string> agent_kept() const {
    std::string name;
    auto read = store::run(*database_, "SELECT value FROM meta WHERE name = 'agent'", {},
                           [&](const Statement& row) { name = row.octets(0); });
    if (!read) return read.error();
    return name;
  }

  // A token that holds nothing may change a row all the same: what it says of a penalty is kept.
  template <class Change>
  Result<void> end(const Token& token, Change change) {
    auto ended = changing([&]() -> Result<bool> {
      const Timestamp time = now();
      bool held = !token.keys.empty();
      for (const std::string& key : token.keys) {
        GateRow row;
        std::uint64_t fence = 0;
        if (auto read = gates_->read(key, row, fence); !read) return read.error();
        const bool changed = change(row, time);
        held = held && changed;
        if (!changed && !row.moved) continue;
        if (auto written = gates_->write(key, row, fence); !written) return written.error();
      }
      return held;
    });
    if (!ended) return ended.error();
    if (!ended.value()) return store::unknown_token(token.fence);
    return {};
  }

  std::string path_;
  SqliteStoreOptions options_;
  store::FileTime time_;
  mutable std::mutex mutex_;
  std::uint64_t own_changes_ = 0;
  std::unique_ptr<Database> database_;
  std::optional<store::Records> records_;
  std::optional<store::Gates> gates_;
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
