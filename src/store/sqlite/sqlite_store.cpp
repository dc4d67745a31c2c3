#include <algorithm>
#include <utility>

#include <robotrules/open_store.hpp>
#include <robotrules/robots_policy.hpp>

#include "base/escape.hpp"
#include "store/gate_rows.hpp"
#include "store/kept_store.hpp"
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
using store::Statement;

class SqliteStore final : public store::KeptStore, private store::SharedDatabase {
 public:
  SqliteStore(std::string path, SqliteStoreOptions options) : path_(std::move(path)), options_(std::move(options)) {}

  Result<void> open() {
    auto opened = Database::open(path_, options_);
    if (!opened) return opened.error();
    auto time = store::prepare_schema(*opened.value(), options_);
    if (!time) return time.error();
    own(std::move(opened).value());
    records_.emplace(*database_);
    owners_.emplace(options_);
    gates_.emplace(*database_, *owners_);
    time_ = time.value();
    return {};
  }

  Timestamp now() const override { return Timestamp(time_.offset) + since_boot(); }
  std::chrono::microseconds since_boot() const override {
    return options_.time.since_boot ? options_.time.since_boot() : store::time_since_boot();
  }

  // The sum of two counters: SQLite counts the commits of other connections, and this store counts its own changes.
  Result<std::uint64_t> changes() const override {
    return locked([&] { return changes_now(); });
  }

  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    return locked([&] { return records_->find(origin.to_string(), origin); });
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
      return store::without_value(records_->erase(origin.to_string()));
    });
  }

  Result<GateState> gate(std::string_view key) const override {
    return locked([&]() -> Result<GateState> {
      GateRow row;
      std::uint64_t fence = 0;
      if (auto read = gates_->read_row(key, row, fence); !read) return read.error();
      return store::state_of(row, now());
    });
  }

  Result<std::optional<Timestamp>> just_visited() const override { return time_.just_visited; }

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
      StoreStats stats;
      auto read = store::run(*database_,
                             "SELECT (SELECT count(*) FROM robots WHERE outcome IS NOT NULL),"
                             " (SELECT count(*) FROM body), (SELECT coalesce(sum(size), 0) FROM body),"
                             " (SELECT count(*) FROM gate),"
                             " (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)",
                             {}, [&](const Statement& row) { stats = store::stats_in(row); });
      if (!read) return read.error();
      return stats;
    });
  }

 private:
  Result<std::string> setting(std::string_view name) const override {
    return locked([&] { return store::meta(*database_, name); });
  }
  Result<void> set_setting(std::string_view name, const std::string& value) override {
    const auto kept = setting(name);
    if (!kept) return kept.error();
    if (kept.value() == value) return {};
    return changing([&] {
      ++own_changes_;
      return store::set_meta(*database_, name, value);
    });
  }
  Result<bool> rename(const std::string& before, const std::string& name) override {
    return changing([&]() -> Result<bool> {
      const auto kept = store::meta(*database_, store::agent_setting);
      if (!kept) return kept.error();
      if (kept.value() != before) return false;
      ++own_changes_;
      auto set = store::set_meta(*database_, store::agent_setting, name);
      if (set) set = records_->clear();
      if (set) set = gates_->forget_visits();
      return set ? Result<bool>(true) : set.error();
    });
  }
  Error unreadable_policy(const Error& why) const override { return store::unreadable_policy(*database_, why); }

  Result<std::uint64_t> put_records(NewRecords records, Keep keep, const RobotsLease* lease) override {
    return changing([&]() -> Result<std::uint64_t> {
      if (lease != nullptr) {
        if (auto ended = records_->end_lease(*lease, now()); !ended) return ended.error();
      }
      ++own_changes_;
      std::uint64_t count = 0;
      for (const auto& [origin, robots] : records) {
        const auto put = records_->put(origin, robots, keep == Keep::the_newer);
        if (!put) return put.error();
        if (put.value()) ++count;
      }
      return count;
    });
  }
  Result<LeaseAnswer> grant_lease(const Origin& origin, std::chrono::microseconds length, std::uint64_t lost) override {
    return changing([&] { return records_->lease(origin, length, lost, now(), *owners_); });
  }
  Result<void> end_lease(const RobotsLease& lease) override {
    return changing([&] { return records_->end_lease(lease, now()); });
  }

  Result<GateAnswers> make_calls(const GateCalls& calls) override {
    return changing([&]() -> Result<GateAnswers> {
      GateRows rows(*gates_, now(), time_.just_visited);
      GateAnswers answers;
      if (auto called = rows.call(calls, answers); !called) return called.error();
      const auto written = rows.write([this](std::string_view key, const GateRow& row, std::uint64_t fence) {
        return gates_->write(key, row, fence);
      });
      if (!written) return written.error();
      if (const auto changes = changes_now()) answers.changes = changes.value();
      return answers;
    });
  }
  Result<bool> change_gate(const std::string& key, const store::GateChange& change, const Origin* erased) override {
    return changing([&]() -> Result<bool> {
      bool is_changed = false;
      if (erased != nullptr) {
        ++own_changes_;
        const auto done = records_->erase(erased->to_string());
        if (!done) return done;
        is_changed = done.value();
      }
      GateRow row;
      std::uint64_t fence = 0;
      if (auto read = gates_->read_row(key, row, fence); !read) return read.error();
      if (!store::apply(change, row, now())) return is_changed;
      const auto written = gates_->write(key, row, fence);
      return written ? Result<bool>(true) : written.error();
    });
  }

  Result<std::uint64_t> changes_now() const {
    const auto version = store::find_number(*database_, "PRAGMA data_version", {});
    if (!version) return version.error();
    return (static_cast<std::uint64_t>(version.value().value_or(0)) << 32) + own_changes_;
  }

  std::string path_;
  SqliteStoreOptions options_;
  store::FileTime time_;
  std::uint64_t own_changes_ = 0;
  std::optional<store::Records> records_;
  std::optional<store::Owners> owners_;
  mutable std::optional<store::Gates> gates_;
};

}  // namespace

Result<std::shared_ptr<Store>> open_sqlite_store(const std::string& path, SqliteStoreOptions options) {
  auto made = std::make_shared<SqliteStore>(path, std::move(options));
  if (auto opened = made->open(); !opened) return opened.error();
  return std::shared_ptr<Store>(std::move(made));
}

}  // namespace robotrules
